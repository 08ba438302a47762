import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../src/engine/config.js";
import { quoted, toSingleLine } from "../../src/engine/quoted.js";

describe("quoted()", () => {
  it("formats a value as JSON, and NaN and undefined too", () => {
    const values = ["8x4", 3, Number.NaN, null, [1, "a"], undefined];
    assert.deepEqual(values.map(quoted), ['"8x4"', "3", "NaN", "null", '[1,"a"]', "absent"]);
  });

  it("shortens long values, and replaces deeply nested ones", () => {
    assert.equal(quoted("x".repeat(1e6)), `"${"x".repeat(79)}…`);
    assert.equal(quoted(JSON.parse("[".repeat(1e5) + "]".repeat(1e5))), "nested too deep to be shown");
  });

  it("replaces control characters and line breaks", () => {
    assert.equal(toSingleLine("a\nb\x1b[2Jc\u2028d\x9b"), "a\ufffdb\ufffd[2Jc\ufffdd\ufffd");
    assert.equal(quoted("a\nb\u2028\x7f"), '"a\\nb\ufffd\ufffd"');
  });
});

describe("completeConfig()", () => {
  it("refuses values that are not objects", () => {
    for (const given of ["text", [1], null, 3]) {
      const message = `config is ${JSON.stringify(given)}, but must be an object.`;
      assert.throws(() => completeConfig(given as never), { name: "ConfigError", message });
    }
  });
});
