import assert from "node:assert/strict";
import { it } from "vitest";
import {
  blobsAt,
  checkStage,
  differenceError,
  flowOf,
  kinksOf,
  lossAlong,
  type Sample,
  sampleAt,
} from "../../src/learn/gradients.js";
import { Reference } from "../support/reference.js";
import { blendModels, directScene, modelName, scene, sceneOf } from "../support/scenes.js";

/** Yields every third blob of some pixels of a job. */
function* samplesOf(job: ReturnType<typeof scene>, pixels: number): Generator<Sample> {
  const snapshot = { name: "waves", ...job };
  for (let pixel = 0; pixel < pixels; pixel++) {
    const [x, y] = [(7 * pixel) % job.image.width, (3 * pixel) % job.image.height];
    const { length } = blobsAt(snapshot, x, y);
    for (let place = 0; place < length; place += 3) yield sampleAt(snapshot, x, y, place)!;
  }
}

it("each adjoint of a stage equals its central difference, and a wrong one does not", () => {
  for (const model of blendModels) {
    let slopes = 0;
    for (const sample of samplesOf(sceneOf(model, { blobs: 40, seed: 2 }), 12)) {
      for (const stage of sample.stages) {
        for (const { name, adjoint, difference, agrees } of checkStage(stage, sample)) {
          assert.ok(agrees, `${modelName(model)}, ${stage.name}, ${name}: ${adjoint} is not ${difference}`);
          if (adjoint !== 0) slopes++;
        }
        const wrong = {
          ...stage,
          backward: (...given: Parameters<typeof stage.backward>) =>
            stage.backward(...given).map((slope) => 1.001 * slope),
        };
        const rows = checkStage(wrong, sample);
        assert.ok(rows.every(({ adjoint }) => adjoint === 0) || rows.some(({ agrees }) => !agrees), stage.name);
      }
    }
    assert.ok(slopes > 100, `${slopes} slopes`);
  }
});

it("the chain has the loss and the gradients of the engine for an image of one pixel", () => {
  for (const job of [
    scene({ blobs: 12, covarianceScale: 0.3, seed: 3 }, 1, 1),
    directScene({ blobs: 12, seed: 3, blend: "over" }, 1, 1),
  ]) {
    const { loss, gradients } = new Reference(job.config, job.image, job.state).evaluate();
    const snapshot = { name: "waves", ...job };
    for (const [place, { index }] of blobsAt(snapshot, 0, 0).entries()) {
      const { values, adjoints } = sampleAt(snapshot, 0, 0, place)!;
      assert.ok(Math.abs(values.L - loss) < 1e-12 * loss);
      for (let field = 0; field < 9; field++) {
        const [found, expected] = [adjoints[`θ${field}`], gradients[12 * field + index]];
        assert.ok(
          Math.abs(found - expected) <= 1e-9 * Math.max(Math.abs(expected), 1e-6),
          `${place}, ${field}: ${found}, ${expected}`,
        );
      }
    }
  }
  assert.equal(sampleAt({ name: "waves", ...scene({}) }, 0, 0, 1000), undefined);
});

it("flowOf() leaves out a frozen parameter and nothing else that matters", () => {
  const job = scene({ blobs: 40, seed: 2 });
  job.state.parameters[5 * 40] = -0.2;
  const snapshot = { name: "waves", ...job };
  let frozen = 0;
  for (let x = 0; x < 20; x++) {
    const place = blobsAt(snapshot, x, 7).findIndex(({ index }) => index === 0);
    if (place < 0) continue;
    frozen++;
    const links = flowOf(sampleAt(snapshot, x, 7, place)!).map(({ from, to }) => `${from} ${to}`);
    assert.ok(
      links.includes("θ6 cg") && links.includes("cg C′g") && !links.includes("cg C′r") && !links.includes("θ5 cr"),
    );
  }
  assert.ok(frozen > 0);
});

const sample = [...samplesOf(scene({ blobs: 40, seed: 2 }), 12)].find(({ adjoints }) => Math.abs(adjoints.θ0) > 1e-5)!;
const powers = Array.from({ length: 12 }, (_, k) => -12 + k);

it("the error of a difference is smallest between rounding and curvature, and float32 has fewer digits", () => {
  const curve = lossAlong(sample, 0);
  const errors = powers.map((power) => differenceError(curve, 10 ** power));
  const best = errors.indexOf(Math.min(...errors));
  assert.ok(best > 3 && best < 10 && errors[best] < 1e-8, errors.join());
  assert.ok(errors[0] > 100 * errors[best] && errors[11] > 100 * errors[best]);
  assert.ok(Math.min(...powers.map((power) => differenceError(curve, 10 ** power, Math.fround))) > 1e-6);
});

it("at the limit of α no step helps, and at the edge of the support a smaller one is worse", () => {
  const [limit, edge] = [...kinksOf(sample).values()].map((curve) =>
    [1e-3, 1e-4, 1e-5].map((h) => differenceError(curve, h)),
  );
  for (const error of limit) assert.ok(Math.abs(error - 0.5) < 1e-6);
  assert.ok(edge[1] > 5 * edge[0] && edge[2] > 5 * edge[1], edge.join());
});
