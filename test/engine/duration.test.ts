import assert from "node:assert/strict";
import { it } from "vitest";
import { duration } from "../../src/engine/duration.js";

it("duration() says seconds as people do", () => {
  const short = { 0: "0 s", 0.4: "0 s", 59.4: "59 s", 59.6: "1 min 0 s", 200: "3 min 20 s", 3599: "59 min 59 s" };
  const said = { ...short, 3600: "1 h 0 min", 7500: "2 h 5 min", 36000: "10 h 0 min" };
  for (const [seconds, words] of Object.entries(said)) assert.equal(duration(Number(seconds)), words);
});
