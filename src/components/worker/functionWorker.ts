// The worker of `runInWorker`.

import { gradientsFile, metricsFile, parametersFile } from "../../engine/files/arrow.js";
import { fileByError, trialFile } from "../../engine/files/splat2d/roundTrip.js";
import { decodeSplat2d } from "../../engine/files/splat2d/splat2d.js";
import { type FloatImage, toImage } from "../../engine/image/image.js";
import { psnr } from "../../engine/image/metrics.js";
import { serveRequests } from "../../host/browser/browserWorker.js";
import { encodePng } from "../../host/browser/encodeBitmap.js";
import { besideTarget } from "../images/besideTarget.js";
import { countEvaluatedPairs } from "../learn/realtime/evaluatedPairs.js";

const tasks = {
  besideTarget,
  toImage,
  psnr,
  png: (render: FloatImage) => encodePng(toImage(render)),
  countEvaluatedPairs,
  parametersFile,
  gradientsFile,
  metricsFile,
  trialFile,
  fileByError,
  decodeSplat2d,
};

/** The tasks, by name. */
export type WorkerTasks = typeof tasks;

/** A task by its name, with its arguments. */
export interface WorkerRequest {
  task: keyof WorkerTasks;
  args: unknown[];
}

serveRequests(({ task, args }: WorkerRequest) => (tasks[task] as (...args: unknown[]) => unknown)(...args));
