import assert from "node:assert/strict";
import { describe } from "vitest";
import { compareOutputs, computeOutput } from "../../../../../src/engine/bench/realtime/agreement.js";
import { measurePrograms } from "../../../../../src/engine/bench/realtime/measurePrograms.js";
import {
  maxStoredStates,
  openProgram,
  programConfig,
  programOf,
  programShaders,
  programs,
} from "../../../../../src/engine/bench/realtime/programs.js";
import type { Backend } from "../../../../../src/engine/pipeline.js";
import { assertGradientsAgree, assertImagesAgree } from "../../../../support/agreement.js";
import { it, shaders } from "../../../../support/gpu.js";
import { Reference } from "../../../../support/reference.js";
import { type Scene, scene, setParameter, testImage } from "../../../../support/scenes.js";

/** The kernels with a broken undo. */
const undo = "return vec4f(pixel.rgb - blob.a * transmittance * blob.rgb, transmittance);";
const blend = shaders.get("shared/blend.wgsl")!;
const withoutUndo = new Map(shaders).set("shared/blend.wgsl", blend.replace(undo, "return vec4f(0.5);"));

/** Nearly opaque blobs, so that the state before a blob is far from the one after it, and pixels stop early. */
function opaqueScene(gaussiansPerBlock: number): Scene {
  const job = scene({ pipeline: "tiled", blobs: 8, tile: "4x4", gaussiansPerBlock, seed: 4 }, 4, 4);
  setParameter(job, 8, 0.93);
  return job;
}

async function compareToReference(
  backend: Backend,
  { config, image, state }: Scene,
  name: "every-kept" | "tiles-kept",
  library = shaders,
) {
  const oracle = new Reference(config, image, state);
  const pipeline = await openProgram(programOf(name), config, image, backend, library, state);
  const { gradients, render } = await computeOutput(pipeline, image);
  await pipeline.free();
  assertGradientsAgree(gradients, oracle.evaluate().gradients, 1e-3, config.seed);
  assertImagesAgree(render, await oracle.render(image), config.seed);
}

describe("a program with stored states", () => {
  for (const name of ["every-kept", "tiles-kept"] as const) {
    it(`computes the float64 reference's gradients and render without undo: ${name}`, async ({ backend }) => {
      assert.notEqual(withoutUndo.get("shared/blend.wgsl"), blend);
      await compareToReference(backend, opaqueScene(8), name, withoutUndo);
    });
  }

  it("undoes states that are not stored, if a tile's list takes several passes", async ({ backend }) => {
    await compareToReference(backend, opaqueScene(4), "tiles-kept");
    await assert.rejects(compareToReference(backend, opaqueScene(4), "tiles-kept", withoutUndo), /is not .* within/);
  });

  it("rejects more blobs than it can store states for", () => {
    const program = programOf("every-kept");
    const config = programConfig(program, { blobs: maxStoredStates + 1 });
    assert.throws(() => programShaders(program, config, shaders), /blobs must be at most 512.* \(got 513\)\.$/);
  });
});

it("measurePrograms() times each program that can run a job, and all agree", async ({ backend }) => {
  const job = { blobs: 6, tile: [4, 4] as [number, number], gaussiansPerBlock: 8 };
  const plan = { steps: 2, seconds: 1 };
  const measured = await measurePrograms(job, testImage(4, 4), backend, shaders, plan, () => {}, 2);
  assert.deepEqual(
    measured.times.map(({ name, roundSteps, rounds }) => [name, roundSteps.length, rounds.length]),
    programs.map(({ name }) => [name, 2, 2]),
  );
  for (const { name, min, median, max, agreement } of measured.times) {
    assert.ok(0 < min && min <= median && median <= max, name);
    assert.ok(agreement.gradients < 1e-3 && (agreement.psnr ?? 200) > 80, `${name}: ${JSON.stringify(agreement)}`);
  }
  assert.deepEqual([measured.pairs.all, measured.pairs.tiles, measured.startStep], [6 * 16, 1, 2]);
});

it("compareOutputs() detects a wrong gradient and a wrong render", () => {
  const right = {
    gradients: new Float32Array(18).fill(2),
    render: { width: 1, height: 1, data: new Float32Array(4) },
  };
  const wrong = { gradients: right.gradients.map((d, i) => (i === 3 ? d + 1 : d)), render: right.render };
  assert.deepEqual(compareOutputs(right, right), { psnr: Number.POSITIVE_INFINITY, gradients: 0 });
  assert.equal(compareOutputs(wrong, right).gradients, 0.5);
  const darker = { ...right, render: { width: 1, height: 1, data: new Float32Array([0.1, 0.1, 0.1, 0]) } };
  assert.ok(Math.abs(compareOutputs(darker, right).psnr - 20) < 1e-5);
});
