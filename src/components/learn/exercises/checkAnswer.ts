import type { Trial } from "../../../engine/model/trial.js";
import { type Exercise, type ExerciseLanguage, fillBlank } from "./exercise.js";
import { type Fault, findFault, isSameTrial } from "./judge.js";
import { type Scene, scenes } from "./scenes.js";

/** A file of the project with an answer in it. */
export interface EditedFile {
  file: string;
  text: string;
}

/** Runs edited code in one language on a scene. @throws Error of one sentence if it does not compile or run */
export interface TrialHost {
  /** Returns the text of a file as shipped. */
  source(file: string): Promise<string>;
  run(edit: EditedFile, scene: Scene, pipeline: Exercise["pipeline"]): Promise<Trial>;
}

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

/** Returns the verdict on an answer, by the results of the edited code in all scenes. */
export async function checkAnswer(
  exercise: Exercise,
  language: ExerciseLanguage,
  answer: string,
  host: TrialHost,
): Promise<Verdict> {
  const code = answer.replace(/\/\/.*/g, "");
  const racing = language === "wgsl" && exercise.mistakes.find(({ race }) => race?.test(code));
  if (racing) return { isRight: false, mistake: racing.says };
  const blank = exercise[language]!;
  const source = await host.source(blank.file);
  const run = (code: string, scene: Scene) =>
    host.run({ file: blank.file, text: fillBlank(source, blank, code) }, scene, exercise.pipeline);
  for (const scene of scenes) {
    const outcome = await outcomeOf(run(answer, scene));
    // A lost GPU fails for every code.
    if (outcome instanceof Error && language === "wgsl") return { isRight: false, error: outcome.message };
    const found = outcome instanceof Error ? { error: outcome.message } : { fault: findFault(scene, outcome) };
    if (found.error === undefined && !found.fault) continue;
    for (const mistake of exercise.mistakes) {
      const code = mistake[language];
      if (code !== undefined && isSameOutcome(scene, outcome, await outcomeOf(run(code, scene)))) {
        return { isRight: false, ...found, scene: scene.description, mistake: mistake.says };
      }
    }
    return { isRight: false, ...found, scene: scene.description };
  }
  return { isRight: true };
}

const outcomeOf = (trial: Promise<Trial>): Promise<Trial | Error> => trial.catch((error: Error) => error);

/** Returns whether two codes have the same results, or fail with the same error. */
function isSameOutcome(scene: Scene, a: Trial | Error, b: Trial | Error): boolean {
  if (a instanceof Error || b instanceof Error)
    return a instanceof Error && b instanceof Error && a.message === b.message;
  return isSameTrial(scene, a, b);
}
