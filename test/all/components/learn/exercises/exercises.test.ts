import assert from "node:assert/strict";
import { it } from "vitest";
import { allExercises } from "../../../../../src/components/learn/exercises/allExercises.js";
import { checkAnswer } from "../../../../../src/components/learn/exercises/checkAnswer.js";
import { excerptOf, withoutSolutions } from "../../../../../src/components/learn/exercises/exercise.js";
import { runTrial } from "../../../../../src/components/learn/exercises/trial.js";
import { shaders } from "../../../../support/gpu.js";

it("accepts results that are those of the CPU reference", async () => {
  const [exercise] = allExercises;
  const verdict = await checkAnswer(exercise, "any code", shaders, async (_file, text, scene) => {
    assert.ok(text.includes("any code") && !text.includes(exercise.hides));
    const { config, image, parameters, steps } = scene;
    return runTrial(config, image, parameters, steps);
  });
  assert.deepEqual(verdict, { isRight: true });
});

it("recognizes a data race by its text, since it may give the right results", async () => {
  const exercise = allExercises.find(({ id }) => id === "workgroups.barrier")!;
  const run = () => Promise.reject(new Error("it ran"));
  const race = "workgroupBarrier(); // workgroupBarrier()\nsh_reduction[localIndex] = value;";
  assert.equal((await checkAnswer(exercise, race, shaders, run)).mistake, exercise.mistakes[0].says);
  assert.equal((await checkAnswer(exercise, exercise.hides, shaders, run)).error, "it ran");
});

it("hides the solutions of other exercises in the code of one", () => {
  for (const { title, file, hides } of allExercises) {
    const code = withoutSolutions(shaders.get(file)!, file, allExercises);
    assert.ok(!code.includes(hides), title);
    assert.ok(code.includes(`/* exercise “${title}” */`), title);
  }
  const blob = shaders.get("shared/blob.wgsl")!;
  assert.equal(withoutSolutions(blob, "shared/adam.wgsl", allExercises), blob);
});

it("hides code that occurs once, within its declaration, in each exercise", () => {
  for (const exercise of allExercises) {
    const { before, after } = excerptOf(shaders.get(exercise.file)!, exercise);
    assert.match(before + after, /fn |override|const|var/, exercise.id);
  }
});
