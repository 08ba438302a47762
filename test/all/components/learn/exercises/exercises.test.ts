import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { transform } from "sucrase";
import { it } from "vitest";
import { allExercises } from "../../../../../src/components/learn/exercises/allExercises.js";
import { checkAnswer, type TrialHost } from "../../../../../src/components/learn/exercises/checkAnswer.js";
import { excerptOf, withoutSolutions } from "../../../../../src/components/learn/exercises/exercise.js";
import { linkReference, trialFiles } from "../../../../../src/components/learn/exercises/linkReference.js";
import { unmarked } from "../../../../../src/engine/marks.js";
import type { runTrial, Trial } from "../../../../../src/engine/model/trial.js";
import { shaders } from "../../../../support/gpu.js";

const sourceOf = (file: string) =>
  unmarked(readFileSync(new URL(`../../../../../src/engine/${file}`, import.meta.url), "utf8"));

const toCommonJs = (source: string) => transform(source, { transforms: ["typescript", "imports"] }).code;

const shippedModules = new Map(trialFiles.map((file) => [file, toCommonJs(sourceOf(file))]));

const trials = new Map<string, Trial>();

const host: TrialHost = {
  source: async (file) => sourceOf(file),
  async run({ file, text }, { description, config, image, parameters, steps }) {
    const key = `${description} ${text}`;
    const known = trials.get(key);
    if (known) return known;
    const code = linkReference((each) => (each === file ? toCommonJs(text) : shippedModules.get(each)!));
    const module = await import(
      /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`
    );
    const trial = (module.runTrial as typeof runTrial)(config, image, parameters, steps);
    trials.set(key, trial);
    return trial;
  },
};

it("accepts a solution in TypeScript, and names its results if they are wrong", async () => {
  const [exercise] = allExercises;
  const { hides } = exercise.typescript!;
  assert.deepEqual(await checkAnswer(exercise, "typescript", hides, host), { isRight: true });
  const verdict = await checkAnswer(exercise, "typescript", `${hides} (`, host);
  assert.ok(verdict.error, "code that does not parse");
});

it("recognizes a data race by its text, since it may give the right results", async () => {
  const exercise = allExercises.find(({ id }) => id === "workgroups.barrier")!;
  const host: TrialHost = {
    source: async (file) => shaders.get(file)!,
    run: () => Promise.reject(new Error("it ran")),
  };
  const { mistake } = await checkAnswer(
    exercise,
    "wgsl",
    "workgroupBarrier(); // workgroupBarrier()\nsh_reduction[localIndex] = value;",
    host,
  );
  assert.equal(mistake, exercise.mistakes[0].says);
  assert.equal((await checkAnswer(exercise, "wgsl", exercise.wgsl.hides, host)).error, "it ran");
});

it("hides the solutions of other exercises in the code of one", () => {
  const others = allExercises.map(({ title, wgsl }) => ({ title, blank: wgsl }));
  for (const { title, blank } of others) {
    const code = withoutSolutions(shaders.get(blank.file)!, blank.file, others);
    assert.ok(!code.includes(blank.hides), title);
    assert.ok(code.includes(`/* exercise “${title}” */`), title);
  }
  const blob = shaders.get("shared/blob.wgsl")!;
  assert.equal(withoutSolutions(blob, "shared/adam.wgsl", others), blob);
});

it("hides code that occurs once, within its declaration, in each exercise", () => {
  for (const { id, wgsl, typescript } of allExercises) {
    const kernel = excerptOf(shaders.get(wgsl.file)!, wgsl);
    assert.match(kernel.before + kernel.after, /fn |override|const|var/, id);
    if (typescript) assert.match(excerptOf(sourceOf(typescript.file), typescript).before, /function|const/, id);
  }
});

for (const exercise of allExercises) {
  const mistake = exercise.mistakes.find(({ typescript }) => typescript !== undefined);
  it.runIf(exercise.typescript && mistake)(
    `recognizes a mistake in TypeScript, and names a wrong number: ${exercise.id}`,
    async () => {
      const { typescript: code, says } = mistake!;
      const verdict = await checkAnswer(exercise, "typescript", code!, host);
      assert.equal(verdict.mistake, says, `${code}: ${JSON.stringify(verdict)}`);
      if (!verdict.error) assert.ok(verdict.fault && !Object.is(verdict.fault.found, verdict.fault.expected));
    },
  );
}
