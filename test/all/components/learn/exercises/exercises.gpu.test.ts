import assert from "node:assert/strict";
import { libraryWith } from "../../../../../src/components/kernels/kernelEdits.js";
import { allExercises } from "../../../../../src/components/learn/exercises/allExercises.js";
import { checkAnswer } from "../../../../../src/components/learn/exercises/checkAnswer.js";
import { fillBlank } from "../../../../../src/components/learn/exercises/exercise.js";
import { findFault } from "../../../../../src/components/learn/exercises/judge.js";
import { kernelTrials } from "../../../../../src/components/learn/exercises/kernelTrial.js";
import { scenes } from "../../../../../src/components/learn/exercises/scenes.js";
import { completeConfig } from "../../../../../src/engine/config.js";
import type { Gpu } from "../../../../../src/engine/gpu/device.js";
import { kernelsOf } from "../../../../../src/engine/gpu/pipelines.js";
import { composeShader } from "../../../../../src/engine/shaders.js";
import { backendOn, it, shaders } from "../../../../support/gpu.js";

const trialsOn = (gpu: Gpu) => kernelTrials(shaders, () => backendOn(gpu));

it("the shipped kernels are right in all scenes, those of binned in the one with the most blobs", async ({ gpu }) => {
  const file = "shared/blend.wgsl";
  const crowded = scenes.toSorted((a, b) => b.config.blobs - a.config.blobs)[0];
  for (const [pipeline, scene] of [...scenes.map((scene) => ["tiled", scene] as const), ["binned", crowded] as const]) {
    const trial = await trialsOn(gpu)(file, shaders.get(file)!, scene, pipeline);
    assert.equal(findFault(scene, trial), undefined, `${pipeline}, ${scene.description}`);
  }
});

it("every mistake of every exercise compiles", async ({ gpu }) => {
  for (const exercise of allExercises) {
    const { file, mistakes, pipeline = "tiled" } = exercise;
    const sources = Object.values(kernelsOf(completeConfig({ pipeline }), gpu));
    for (const { code } of mistakes) {
      const library = libraryWith(shaders, { [file]: fillBlank(shaders.get(file)!, exercise, code) });
      // A module alone is compiled in a fraction of the time of a pipeline.
      for (const file of new Set(sources.map(({ file }) => file))) {
        const module = gpu.device.createShaderModule({ code: composeShader(library, file).code });
        const { messages } = await module.getCompilationInfo();
        const errors = messages.filter(({ type }) => type === "error").map(({ message }) => message);
        assert.deepEqual(errors, [], `${code} in ${file}`);
      }
    }
  }
});

for (const exercise of allExercises) {
  it(`recognizes a mistake, and names a wrong number: ${exercise.id}`, async ({ gpu }) => {
    const [{ code, says, race }] = exercise.mistakes;
    const verdict = await checkAnswer(exercise, code, shaders, trialsOn(gpu));
    assert.equal(verdict.mistake, says, `${code}: ${JSON.stringify(verdict)}`);
    assert.ok(race || (verdict.fault && !Object.is(verdict.fault.found, verdict.fault.expected)));
  });
}
