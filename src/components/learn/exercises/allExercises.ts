import { adamExercises } from "../adam/exercises.js";
import { blendingExercises } from "../blending/exercises.js";
import { blobExercises } from "../blob/exercises.js";
import { realtimeExercises } from "../realtime/exercises.js";
import { sortingExercises } from "../sorting/exercises.js";
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
  "learn/sorting": sortingExercises,
  "learn/realtime": realtimeExercises,
};

/** All exercises in the order of the chapters. */
export const allExercises: readonly Exercise[] = Object.values(exercisesOfChapters).flat();
