import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { parsers } from "./parsers.js";
import { requireSentence } from "./requireSentence.js";

const executions = 300;

describe("damaged input is read, or rejected with an error of one sentence", () => {
  for (const [name, { inputs, read }] of Object.entries(parsers)) {
    it(name, async () => {
      let rejected = 0;
      const property = fc.asyncProperty(inputs, async (input) => {
        try {
          await read(input);
        } catch (error) {
          rejected++;
          requireSentence(error);
        }
      });
      await fc.assert(property, { numRuns: executions });
      assert.ok(rejected > 0 || name === "image headers", "nothing was damaged");
    });
  }
});

describe("requireSentence()", () => {
  it("accepts an error of one sentence, and rejects other messages and internal errors", () => {
    requireSentence(new Error("It is damaged."));
    for (const message of ["damaged", "It is damaged.\nTry again.", "\x1b[2J.", `${"x".repeat(2000)}.`]) {
      assert.throws(() => requireSentence(new Error(message)), /not one sentence/);
    }
    assert.throws(() => requireSentence(new TypeError("It is undefined.")), /internal error/);
  });
});
