import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../src/engine/config.js";
import { inRange, mustBe, quoted, toSingleLine } from "../../src/engine/quoted.js";

describe("quoted()", () => {
  it("formats a value as JSON, and NaN and undefined too", () => {
    const values = ["8x4", 3, Number.NaN, null, [1, "a"], undefined];
    assert.deepEqual(values.map(quoted), ['"8x4"', "3", "NaN", "null", '[1,"a"]', "nothing"]);
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

describe("mustBe()", () => {
  it("names the setting, what is allowed, the value and a suggestion", () => {
    assert.equal(mustBe("blobs", inRange(1, 4e6), 0), "blobs must be between 1 and 4,000,000 (got 0).");
    assert.equal(
      mustBe("rate", `a number ${inRange(1e-5)}`, "x"),
      'rate must be a number of at least 0.00001 (got "x").',
    );
    assert.equal(mustBe("blend", "over", "ovr", "over"), 'blend must be over (got "ovr"; did you mean over?).');
  });
});

describe("completeConfig()", () => {
  it("refuses values that are not objects", () => {
    for (const given of ["text", [1], null, 3]) {
      const message = `config must be an object (got ${JSON.stringify(given)}).`;
      assert.throws(() => completeConfig(given as never), { name: "ConfigError", message });
    }
  });
});
