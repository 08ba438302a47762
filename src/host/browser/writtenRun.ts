import {
  gradientsFile,
  type MetricsRow,
  metricsFile,
  optimizerFile,
  parametersFile,
} from "../../engine/files/arrow.js";
import {
  type FileResult,
  type RunDescription,
  readRunDescription,
  writeRunDescription,
} from "../../engine/files/runDescription.js";
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import type { FloatImage, Image } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import type { RunBlobs } from "./runStore.js";

export interface RunContents {
  /** Description without the image's hash and, if there is a render, without the result. Both are added. */
  description: Omit<RunDescription, "version">;
  target: Image;
  metrics: MetricsRow[];
  state: TrainingState;
  /** Film frames by step, without that of the current state. */
  film: Map<number, Image>;
  /** dL/draw at the state's parameters, if known. */
  gradients?: Float32Array;
  /** Render of the state, if known. */
  render?: FloatImage;
  /** The .splat2d file and its size and PSNR, if known. */
  splat2d?: { bytes: Uint8Array; file: FileResult };
}

export interface WrittenRun {
  description: RunDescription;
  files: RunBlobs;
  thumbnail?: Blob;
}

/** Returns the tables of a run. */
export function tablesOf({ description: { config }, target, metrics, state, gradients }: RunContents): RunBlobs {
  const arrowBlob = (bytes: Uint8Array) =>
    new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/vnd.apache.arrow.file" });
  return {
    [runFiles.parameters]: arrowBlob(parametersFile(config, target, state)),
    [runFiles.optimizer]: arrowBlob(optimizerFile(config, state)),
    [runFiles.metrics]: arrowBlob(metricsFile(config, metrics)),
    // Step t updates the parameters after t − 1 steps.
    ...(gradients && { [runFiles.gradients]: arrowBlob(gradientsFile(config, [{ step: state.step + 1, gradients }])) }),
  };
}

/** Returns a run of these files and its description. */
export function writtenRun(files: RunBlobs, fields: Omit<RunDescription, "version">): WrittenRun {
  const text = writeRunDescription(fields);
  const described = { ...files, [runFiles.description]: new Blob([text], { type: "application/json" }) };
  return { description: readRunDescription(text), files: described };
}

/**
 * Returns the files of a run at another state, without waiting for anything: tables of the state, and images that were
 * written before. There are no hashes, which browsers compute only in the background.
 */
export function writtenAtOnce(contents: RunContents, { description, files }: WrittenRun): WrittenRun {
  const film = description.film?.filter((step) => step <= contents.state.step) ?? [];
  const images = [runFiles.target, ...film.map(frameFile)].map((name) => [name, files[name]]);
  return writtenRun(
    { ...tablesOf(contents), ...Object.fromEntries(images) },
    { ...contents.description, image: description.image, film },
  );
}
