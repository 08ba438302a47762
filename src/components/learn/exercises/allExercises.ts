import { adamExercise } from "./adam.js";
import { blendingExercise } from "./blending.js";
import { blobExercise } from "./blob.js";
import type { Exercise } from "./exercise.js";
import { gradientsExercise } from "./gradients.js";
import { realtimeExercise } from "./realtime.js";
import { reductionExercise } from "./reduction.js";
import { sortingExercise } from "./sorting.js";
import { stepExercise } from "./step.js";
import { tilesExercise } from "./tiles.js";
import { undoExercise } from "./undo.js";
import { workgroupsExercise } from "./workgroups.js";

/** The exercises of each chapter, by its path below src/, in the order of the chapters. */
export const exercisesOfChapters: Readonly<Record<string, readonly Exercise[]>> = {
  "learn/blob": [blobExercise],
  "learn/blending": [blendingExercise],
  "learn/undo": [undoExercise],
  "learn/gradients": [gradientsExercise],
  "learn/adam": [adamExercise],
  "learn/step": [stepExercise],
  "learn/workgroups": [workgroupsExercise],
  "learn/tiles": [tilesExercise],
  "learn/sorting": [sortingExercise],
  "learn/reduction": [reductionExercise],
  "learn/realtime": [realtimeExercise],
};

/** All exercises in the order of the chapters. */
export const allExercises: readonly Exercise[] = Object.values(exercisesOfChapters).flat();
