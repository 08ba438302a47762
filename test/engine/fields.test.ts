import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { checkField } from "../../src/engine/config.js";
import { fieldNames, fieldOf, formatField, isNumeric, parseField, typicalValues } from "../../src/engine/fields.js";

describe("the fields", () => {
  for (const name of fieldNames) {
    const field = fieldOf(name);

    it(`have different label and help for ${name}`, () => {
      assert.match(field.label, /^[A-Z]/);
      assert.match(field.help, /^[\p{L}].*[^.]$/u);
      assert.notEqual(field.label.toLowerCase(), field.help.toLowerCase());
    });

    it(`accept the typical values of ${name}`, () => {
      const values = [...typicalValues(name), field.default, field.quality].filter((value) => value !== undefined);
      assert.ok(values.length > 1);
      for (const value of values) assert.deepEqual(checkField(name, checkField(name, value)), checkField(name, value));
    });

    it(`have a slider between allowed values of ${name} if it is a number`, () => {
      assert.equal("slider" in field, field.kind === "number" || field.kind === "integer");
      if (!("slider" in field)) return;
      const [low, high] = field.slider;
      assert.ok(low < high);
      for (const end of field.slider) checkField(name, end);
      if (field.scale === "log") assert.ok(low > 0);
    });

    it(`parse the formatted values of ${name}`, () => {
      for (const value of typicalValues(name)) {
        const checked = checkField(name, value);
        assert.deepEqual(checkField(name, parseField(name, String(formatField(checked)))), checked);
        assert.equal(typeof parseField(name, String(value)), isNumeric(name) ? "number" : "string");
      }
    });
  }

  it("have unique labels", () => {
    assert.equal(new Set(fieldNames.map((name) => fieldOf(name).label)).size, fieldNames.length);
  });
});
