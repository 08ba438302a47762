import assert from "node:assert/strict";
import { describe } from "vitest";
import { openProgram, programOf } from "../../../src/components/learn/realtime/programs.js";
import type { Backend } from "../../../src/engine/pipeline.js";
import { assertGradientsAgree, assertImagesAgree } from "../../support/agreement.js";
import { it, shaders } from "../../support/gpu.js";
import { Reference } from "../../support/reference.js";
import { type Scene, scene, setParameter } from "../../support/scenes.js";

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
  const [gradients, render] = [await pipeline.computeGradients(), await pipeline.render(image)];
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
});
