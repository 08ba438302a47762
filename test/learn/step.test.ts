import assert from "node:assert/strict";
import { it } from "vitest";
import { chapters } from "../../src/components/page/pages.js";
import { evalFalloff } from "../../src/engine/model/blob.js";
import { tiledBlobs } from "../../src/engine/model/tiledBlobs.js";
import { arrowsOf, recordStep, stagesOf } from "../../src/learn/step.js";
import { Reference } from "../support/reference.js";
import { scene } from "../support/scenes.js";

const job = { name: "noise", ...scene({ tile: "8x4", biasCorrection: "exact", covarianceScale: 1e-3, seed: 3 }) };

it("recordStep() has the loss of the reference before and after a step, and an adjoint for each blob that reaches a pixel", () => {
  const counts = recordStep(job);
  const reference = new Reference(job.config, job.image, job.state);
  assert.ok(Math.abs(counts.loss - reference.evaluate().loss) < 1e-12);
  reference.advance(1);
  assert.ok(Math.abs(counts.after - reference.evaluate().loss) < 1e-6);
  assert.ok(counts.after < counts.loss);
  const { blobs, uv } = tiledBlobs(job.config, job.image, job.state.parameters);
  let reaching = 0;
  for (const blob of blobs) {
    for (let y = 0; y < job.image.height; y++) {
      for (let x = 0; x < job.image.width; x++)
        if (evalFalloff(blob, x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY) > 0) reaching++;
    }
  }
  // No pixel of this job stops before its last blob.
  assert.equal(counts.applied, counts.evaluations);
  assert.equal(counts.adjoints, reaching);
  assert.ok(counts.adjoints < counts.applied && counts.intersections > counts.longest);
});

it("stagesOf() leads to chapters, and every stage has an arrow", () => {
  const stages = stagesOf(recordStep(job));
  for (const { href } of stages)
    assert.ok(
      chapters.some(([path]) => `./${path.split("/")[1]}` === href),
      href,
    );
  const arrows = arrowsOf(stages, 0, 0);
  for (const { name, x, y } of stages)
    assert.ok(
      arrows.some(({ x1, y1, x2, y2 }) => (x1 === x && y1 === y) || (x2 === x && y2 === y)),
      name,
    );
});
