import { adamExercises } from "../adam/exercises.js";
import { gradientsExercises } from "../gradients/exercises.js";
import { reductionExercises } from "../reduction/exercises.js";
import { stepExercises } from "../step/exercises.js";
import { undoExercises } from "../undo/exercises.js";
import type { Exercise } from "./exercise.js";

/** The exercises of each chapter, by its path below src/, in the order of the chapters. */
export const exercisesOfChapters: Readonly<Record<string, readonly Exercise[]>> = {
  "learn/undo": undoExercises,
  "learn/gradients": gradientsExercises,
  "learn/adam": adamExercises,
  "learn/step": stepExercises,
  "learn/reduction": reductionExercises,
};

/** All exercises in the order of the chapters. */
export const allExercises: readonly Exercise[] = Object.values(exercisesOfChapters).flat();
