import assert from "node:assert/strict";
import { describe } from "vitest";
import { allExercises } from "../../../../src/components/learn/exercises/allExercises.js";
import { checkAnswer } from "../../../../src/components/learn/exercises/checkAnswer.js";
import { kernelTrials } from "../../../../src/components/learn/exercises/kernelTrial.js";
import { backendOn, it, shaders } from "../../../support/gpu.js";

describe.each(allExercises)("$id", (exercise) => {
  it("accepts its solution in WGSL", async ({ gpu }) => {
    const host = kernelTrials(shaders, () => backendOn(gpu));
    assert.deepEqual(await checkAnswer(exercise, "wgsl", exercise.wgsl.hides, host), { isRight: true });
  });

  it("recognizes its mistakes in WGSL, and names a wrong number", async ({ gpu }) => {
    const host = kernelTrials(shaders, () => backendOn(gpu));
    for (const { wgsl, says } of exercise.mistakes) {
      const verdict = await checkAnswer(exercise, "wgsl", wgsl, host);
      assert.equal(verdict.mistake, says, `${wgsl}: ${JSON.stringify(verdict)}`);
      assert.ok(verdict.fault && !Object.is(verdict.fault.found, verdict.fault.expected));
    }
  });
});
