import { adamExercises } from "../adam/exercises.js";
import { blendingExercises } from "../blending/exercises.js";
import { blobExercises } from "../blob/exercises.js";
import { tilesExercises } from "../tiles/exercises.js";
import { undoExercises } from "../undo/exercises.js";
import { workgroupsExercises } from "../workgroups/exercises.js";
import type { Exercise } from "./exercise.js";

/** The exercises of each chapter, by its path below src/, in the order of the chapters. */
export const exercisesOfChapters: Readonly<Record<string, readonly Exercise[]>> = {
  "learn/blob": blobExercises,
  "learn/blending": blendingExercises,
  "learn/undo": undoExercises,
  "learn/adam": adamExercises,
  "learn/workgroups": workgroupsExercises,
  "learn/tiles": tilesExercises,
};

/** All exercises in the order of the chapters. */
export const allExercises: readonly Exercise[] = Object.values(exercisesOfChapters).flat();
