import assert from "node:assert/strict";
import { it } from "vitest";
import { adjointOf } from "../../../../src/components/learn/gradients/adjoints.js";
import { lossDifferenceErrors } from "../../../../src/components/learn/gradients/differenceErrors.js";
import { takeSample } from "../../../../src/components/learn/gradients/stepSample.js";
import { uniformGenerator } from "../../../../src/engine/random.js";
import { directScene, scene } from "../../../support/scenes.js";

it("the error of a difference is smallest between a small h and a large one", () => {
  for (const job of [
    scene({ blobs: 40, seed: 2 }),
    scene({ blobs: 40, seed: 3 }),
    directScene({ blobs: 40, seed: 4 }),
  ]) {
    const sample = takeSample(job, uniformGenerator(1));
    assert.ok(sample);
    const errors = lossDifferenceErrors(adjointOf("chain", sample));
    const smallest = errors.toSorted((a, b) => a.y - b.y)[0];
    assert.ok(smallest.x > 1e-8 && smallest.x < 1e-3, `${smallest.x}`);
    for (const end of [errors[0], errors.at(-1)!]) assert.ok(end.y > 1000 * smallest.y, `${end.x}: ${end.y}`);
  }
});
