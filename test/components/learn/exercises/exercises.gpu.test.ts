import assert from "node:assert/strict";
import { describe } from "vitest";
import { libraryWith } from "../../../../src/components/kernels/kernelEdits.js";
import { allExercises } from "../../../../src/components/learn/exercises/allExercises.js";
import { checkAnswer } from "../../../../src/components/learn/exercises/checkAnswer.js";
import { fillBlank } from "../../../../src/components/learn/exercises/exercise.js";
import { findFault } from "../../../../src/components/learn/exercises/judge.js";
import { kernelTrials } from "../../../../src/components/learn/exercises/kernelTrial.js";
import { scenes } from "../../../../src/components/learn/exercises/scenes.js";
import { completeConfig } from "../../../../src/engine/config.js";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import { backendOn, it, shaders } from "../../../support/gpu.js";

const hostOn = (gpu: Gpu) => kernelTrials(shaders, () => backendOn(gpu));

it.for(["tiled", "binned"] as const)("the shipped kernels of %s are right in all scenes", async (pipeline, { gpu }) => {
  const edit = { file: "shared/blend.wgsl", text: shaders.get("shared/blend.wgsl")! };
  for (const scene of scenes) {
    assert.equal(findFault(scene, await hostOn(gpu).run(edit, scene, pipeline)), undefined, scene.name);
  }
});

describe.each(allExercises)("$id", (exercise) => {
  const { wgsl, mistakes, pipeline = "tiled" } = exercise;

  it("has mistakes that compile", async ({ gpu }) => {
    for (const mistake of mistakes) {
      const text = fillBlank(shaders.get(wgsl.file)!, wgsl, mistake.wgsl);
      const library = libraryWith(shaders, { [wgsl.file]: text });
      const messages = await backendOn(gpu).compile!(completeConfig({ pipeline }), library);
      assert.deepEqual(
        messages.filter(({ type }) => type === "error"),
        [],
        mistake.wgsl,
      );
    }
  });

  it("recognizes a mistake in WGSL, and names a wrong number", async ({ gpu }) => {
    const [{ wgsl: code, says }] = mistakes;
    const verdict = await checkAnswer(exercise, "wgsl", code, hostOn(gpu));
    assert.equal(verdict.mistake, says, `${code}: ${JSON.stringify(verdict)}`);
    assert.ok(verdict.fault && !Object.is(verdict.fault.found, verdict.fault.expected));
  });
});
