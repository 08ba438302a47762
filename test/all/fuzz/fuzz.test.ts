import fc from "fast-check";
import { describe, it } from "vitest";
import { parsers } from "./parsers.js";

/** Checks that an error is one of ours, with a message of one sentence. @throws Error if it is not */
function requireSentence(error: unknown): void {
  const isOurs = error instanceof Error && ["Error", "ConfigError", "Failure"].includes(error.name);
  if (!isOurs) throw new Error("It threw an internal error.", { cause: error });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a terminal.
  const isSentence = /^[^\x00-\x1f\x7f]*\.$/.test(error.message) && error.message.length <= 1200;
  if (!isSentence || /Cannot read prop|is not a function|not iterable|call stack|undefined is/.test(error.message)) {
    throw new Error("It threw an error that is not one sentence.", { cause: error });
  }
}

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
      await fc.assert(property, { numRuns: 200 });
      if (rejected === 0 && name !== "image headers") throw new Error("Nothing was damaged.");
    });
  }
});
