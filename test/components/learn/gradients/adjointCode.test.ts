import assert from "node:assert/strict";
import { it } from "vitest";
import { adjointOf } from "../../../../src/components/learn/gradients/adjoints.js";
import { adjointCodeOf, adjointStages, codeThing } from "../../../../src/components/learn/gradients/stageAdjoint.js";
import { takeSample } from "../../../../src/components/learn/gradients/stepSample.js";
import { walkCode } from "../../../../src/components/learn/step/walkStages.js";
import { uniformGenerator } from "../../../../src/engine/random.js";
import { marksIn } from "../../../support/marks.js";
import { directScene, scene } from "../../../support/scenes.js";

/** The things that an excerpt's lines stand for. */
const thingsIn = (excerpt: string) => marksIn(excerpt).map((mark) => `code:${mark}`);

it("each input of each stage has a line in the kernel, and one in its CPU reference if that writes it", () => {
  for (const job of [scene({ seed: 1 }), directScene({ blend: "over" })]) {
    const sample = takeSample(job, uniformGenerator(1));
    assert.ok(sample);
    for (const stage of adjointStages) {
      for (const background of ["original", "white", "black"] as const) {
        const adjoint = adjointOf(stage, sample, background);
        const { wgsl, reference } = adjointCodeOf(adjoint);
        const [kernel, other] = [thingsIn(wgsl), thingsIn(reference!)];
        for (const k of adjoint.inputs.keys()) {
          const thing = codeThing(adjoint, k);
          assert.ok(kernel.includes(thing), `${thing} in ${wgsl}`);
          // Blending passes the gradient of C on as it is.
          if (stage !== "blend" || k > 2) assert.ok(other.includes(thing), `${thing} in ${reference}`);
        }
      }
    }
  }
});

it("each stage of the walk has its line in the kernel and in its CPU reference", () => {
  for (const [name, { wgsl, reference, line }] of Object.entries(walkCode)) {
    assert.ok(thingsIn(wgsl).includes(line), name);
    // Nothing comes between the additions of the reference.
    if (name !== "Accumulate") assert.ok(thingsIn(reference).includes(line), name);
  }
});
