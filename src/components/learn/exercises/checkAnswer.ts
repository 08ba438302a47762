import type { ShaderLibrary } from "../../../engine/shaders.js";
import { type Exercise, fillBlank } from "./exercise.js";
import { type Fault, findFault, isSameTrial } from "./judge.js";
import { type Scene, scenes } from "./scenes.js";
import type { Trial } from "./trial.js";

/** Runs a kernel with an edited file on a scene. @throws Error of one sentence if it does not compile or run */
export type RunTrial = (file: string, text: string, scene: Scene, pipeline: Exercise["pipeline"]) => Promise<Trial>;

/** The verdict on an answer. */
export interface Verdict {
  isRight: boolean;
  /** Why the code did not run. */
  error?: string;
  fault?: Fault;
  /** The scene in which the fault occurs. */
  scene?: string;
  /** What to say to the recognized mistake. */
  mistake?: string;
}

/** Returns the verdict on an answer, by the results of the edited kernel in all scenes. */
export async function checkAnswer(
  exercise: Exercise,
  answer: string,
  shaders: ShaderLibrary,
  runTrial: RunTrial,
): Promise<Verdict> {
  const { file, mistakes, pipeline } = exercise;
  const code = answer.replace(/\/\/.*/g, "");
  const racing = mistakes.find(({ race }) => race?.test(code));
  if (racing) return { isRight: false, mistake: racing.says };
  const run = (code: string, scene: Scene) =>
    runTrial(file, fillBlank(shaders.get(file)!, exercise, code), scene, pipeline);
  for (const scene of scenes) {
    let trial: Trial;
    try {
      trial = await run(answer, scene);
    } catch (error) {
      return { isRight: false, error: (error as Error).message };
    }
    const fault = findFault(scene, trial);
    if (!fault) continue;
    const verdict = { isRight: false, fault, scene: scene.description };
    for (const { code, says } of mistakes) {
      // A mistake may fail to run.
      const same = await run(code, scene).catch(() => undefined);
      if (same && isSameTrial(scene, trial, same)) return { ...verdict, mistake: says };
    }
    return verdict;
  }
  return { isRight: true };
}
