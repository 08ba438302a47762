// Carries out what src/components/backstage.ts asks, away from the page's own thread.
import { gradientsFile, metricsFile, parametersFile, parametersPieces } from "../engine/arrow.js";
import { countPairs } from "../engine/cpu/pairs.js";
import { type Picture, toImage } from "../engine/image.js";
import { psnr } from "../engine/metrics.js";
import { countEvaluatedPairs } from "../engine/realtime/evaluatedPairs.js";
import { fileByError, trialFile } from "../engine/splat2d/roundTrip.js";
import { decodeSplat2d } from "../engine/splat2d/splat2d.js";
import { toSvg } from "../engine/svg/svg.js";
import { answering } from "../host/askedWorker.js";
import { encodePng } from "../host/encodeBitmap.js";
import type { BackstageQuestion } from "./backstage.js";
import { besideTarget } from "./besideTarget.js";
import { decodedColumn } from "./blobColumns.js";
import { lossDifference, oracleGradients } from "./learn/step/checkModel.js";
import { startingTiles } from "./learn/undo/cacheModel.js";
import { rowOrder } from "./rowOrder.js";

const tasks = {
  besideTarget,
  toImage,
  psnr,
  png: (picture: Picture) => encodePng(toImage(picture)),
  countPairs,
  countEvaluatedPairs,
  rowOrder,
  decodedOrder: (isDescending: boolean, ...column: Parameters<typeof decodedColumn>) =>
    rowOrder(decodedColumn(...column), isDescending),
  parametersPieces: (...run: Parameters<typeof parametersPieces>) => [...parametersPieces(...run)],
  parametersFile,
  gradientsFile,
  metricsFile,
  toSvg,
  trialFile,
  fileByError,
  decodeSplat2d,
  startingTiles,
  oracleGradients,
  lossDifference,
};

/** The tasks, by name. */
export type Backstage = typeof tasks;

const hear = answering(
  (message, transfer) => postMessage(message, { transfer }),
  ({ task, given }: BackstageQuestion) => (tasks[task] as (...given: unknown[]) => unknown)(...given),
);
addEventListener("message", ({ data }) => hear(data));
