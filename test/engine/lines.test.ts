import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { findLine } from "../../src/engine/lines.js";

describe("findLine()", () => {
  const source = "let a = 1;\nlet b = 2;\nlet a2 = 3;";

  it("counts lines from 1", () => {
    assert.equal(findLine(source, "b = 2"), 2);
  });

  it("refuses a text in no line or in several", () => {
    assert.throws(() => findLine(source, "c ="), /No line holds “c =”/);
    assert.throws(() => findLine(source, "let a"), /Lines 1, 3 hold “let a”/);
  });
});
