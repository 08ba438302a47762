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

const hostOn = (gpu: Gpu) => kernelTrials(shaders, () => backendOn(gpu));

it.for(["tiled", "binned"] as const)("the shipped kernels of %s are right in all scenes", async (pipeline, { gpu }) => {
  const edit = { file: "shared/blend.wgsl", text: shaders.get("shared/blend.wgsl")! };
  for (const scene of scenes) {
    assert.equal(findFault(scene, await hostOn(gpu).run(edit, scene, pipeline)), undefined, scene.description);
  }
});

it("every mistake of every exercise compiles", async ({ gpu }) => {
  for (const { wgsl, mistakes, pipeline = "tiled" } of allExercises) {
    const sources = Object.values(kernelsOf(completeConfig({ pipeline }), gpu));
    for (const { wgsl: code } of mistakes) {
      if (code === undefined) continue;
      const library = libraryWith(shaders, { [wgsl.file]: fillBlank(shaders.get(wgsl.file)!, wgsl, code) });
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

/** The first exercise of each chapter. */
const firstOf = new Map(allExercises.toReversed().map((exercise) => [exercise.id.split(".")[0], exercise]));
for (const exercise of firstOf.values()) {
  it(`recognizes a mistake in WGSL, and names a wrong number: ${exercise.id}`, async ({ gpu }) => {
    const [{ wgsl: code, says, race }] = exercise.mistakes;
    const verdict = await checkAnswer(exercise, "wgsl", code!, hostOn(gpu));
    assert.equal(verdict.mistake, says, `${code}: ${JSON.stringify(verdict)}`);
    assert.ok(race || (verdict.fault && !Object.is(verdict.fault.found, verdict.fault.expected)));
  });
}
