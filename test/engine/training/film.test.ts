import assert from "node:assert/strict";
import { it } from "vitest";
import { filmSteps, frameSize } from "../../../src/engine/training/film.js";

it("a film has frames at the start and at each power of four", () => {
  assert.deepEqual(filmSteps.slice(0, 6), [0, 4, 16, 64, 256, 1024]);
});

it("a frame keeps the aspect ratio, and is at most 256 pixels long and never larger than the image", () => {
  assert.deepEqual(frameSize({ width: 768, height: 512 }), { width: 256, height: 171 });
  assert.deepEqual(frameSize({ width: 512, height: 768 }), { width: 171, height: 256 });
  assert.deepEqual(frameSize({ width: 200, height: 256 }), { width: 200, height: 256 });
  assert.deepEqual(frameSize({ width: 5000, height: 1 }), { width: 256, height: 1 });
  assert.deepEqual(frameSize({ width: 1, height: 5000 }), { width: 1, height: 256 });
});
