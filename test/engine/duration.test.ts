import assert from "node:assert/strict";
import { it } from "vitest";
import { duration, roughDuration } from "../../src/engine/duration.js";

it("roughDuration() formats seconds with about two digits", () => {
  const expected = {
    0.2: "1 s",
    7.4: "7 s",
    44: "40 s",
    94: "90 s",
    95: "2 min",
    3500: "58 min",
    3599: "1 h",
    7900: "2 h 10 min",
  };
  for (const [seconds, words] of Object.entries(expected)) assert.equal(roughDuration(Number(seconds)), words);
  assert.equal(roughDuration(5_000_000), "1,389 h");
});

it("duration() formats seconds in the two largest units", () => {
  const short = { 0: "0 s", 0.4: "0 s", 59.4: "59 s", 59.6: "1 min 0 s", 200: "3 min 20 s", 3599: "59 min 59 s" };
  const expected = { ...short, 3600: "1 h 0 min", 7500: "2 h 5 min", 36000: "10 h 0 min" };
  for (const [seconds, words] of Object.entries(expected)) assert.equal(duration(Number(seconds)), words);
});
