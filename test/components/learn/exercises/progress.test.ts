import assert from "node:assert/strict";
import { it } from "vitest";
import { readAnswers } from "../../../../src/components/learn/exercises/progress.js";

const right = { language: "wgsl", code: "pixel.a", isRight: true };

it("reads stored answers, without entries of another form", () => {
  const text = JSON.stringify({
    "undo.color": right,
    a: null,
    b: 3,
    c: { ...right, code: 1 },
    d: { ...right, language: "js" },
  });
  assert.deepEqual(readAnswers(text), { "undo.color": right });
  assert.deepEqual(readAnswers("null"), {});
  assert.throws(() => readAnswers("no answers"), SyntaxError);
});
