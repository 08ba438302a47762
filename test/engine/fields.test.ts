import assert from "node:assert/strict";
import { it } from "vitest";
import { checkField } from "../../src/engine/config.js";
import { fieldNames, fieldOf, formatField, isNumeric, parseField, typicalValues } from "../../src/engine/fields.js";

it("each field accepts its typical values, which parse as they are formatted, and both ends of its slider", () => {
  for (const name of fieldNames) {
    const field = fieldOf(name);
    const values = [...typicalValues(name), field.default, field.quality].filter((value) => value !== undefined);
    assert.ok(values.length > 1, name);
    for (const value of values) {
      const checked = checkField(name, value);
      assert.deepEqual(checkField(name, parseField(name, String(formatField(checked)))), checked);
    }
    assert.equal("slider" in field, field.kind === "number" || field.kind === "integer", name);
    if ("slider" in field) for (const end of field.slider) checkField(name, end);
    assert.equal(typeof parseField(name, String(typicalValues(name)[0])), isNumeric(name) ? "number" : "string");
  }
  assert.equal(new Set(fieldNames.map((name) => fieldOf(name).label)).size, fieldNames.length);
});
