import { evenlySpacedIndices } from "../../engine/evenlySpaced.js";
import { metricsFile } from "../../engine/files/arrow.js";
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import type { RunRecord } from "../../engine/files/runRecord.js";
import type { Image } from "../../engine/image/image.js";
import { reduceImage } from "../../engine/image/reduce.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { type EmbeddedImages, type EmbeddedRun, toPlanes } from "../embeddedRun.js";
import { readReport } from "../report.js";
import { blobsNextTo, type EmbedLimits } from "./embedLimits.js";
import { imageAddress, longestSide } from "./staticHtml.js";

/** A run to embed in a one-file report. */
export interface RunToEmbed {
  run: EmbeddedRun;
  /** The run's images, reduced if they are large, and their data URLs. */
  images: EmbeddedImages;
  addresses: EmbeddedImages<string>;
}

/**
 * Returns a run to embed, with at most as many blobs and rows as the limits allow.
 * @throws Failure if the run has no report
 */
export async function embedRun(run: RunRecord, name: string, limits: EmbedLimits): Promise<RunToEmbed> {
  const { description, rows, parameters, gradients, target, render, film } = await readReport(run);
  const { config } = description;
  const reduce = (image: Image) => reduceImage(image, longestSide);
  const images = { target: reduce(target), render: reduce(render), film: film.map(({ image }) => image) };
  const address = async (image: Image, original: Image, file: string) =>
    imageAddress(image, image === original ? await run.file(file) : undefined);
  const addresses = {
    target: await address(images.target, target, runFiles.target),
    render: await address(images.render, render, runFiles.render),
    film: await Promise.all(film.map(({ image, step }) => address(image, image, frameFile(step)))),
  };
  const chosenRows = evenlySpacedIndices(rows.length, limits.rows);
  const blobs = evenlySpacedIndices(config.blobs, blobsNextTo(chosenRows.length, limits));
  // The last row has the run's result.
  if (chosenRows.length > 0) chosenRows[chosenRows.length - 1] = rows.length - 1;
  const embeddedRows = Array.from(chosenRows, (row) => rows[row]);
  const embedded = {
    name,
    // The hashes are those of the folder's files, which have more rows.
    description: { ...description, files: undefined },
    metrics: base64(metricsFile(config, embeddedRows, {})),
    blobs: blobs.length,
    parameters: base64(toPlanes(selectSlots(parameters, blobs))),
    gradients: { step: gradients.step, values: base64(toPlanes(selectSlots(gradients.values, blobs))) },
    film: run.film,
  };
  return { run: embedded, images, addresses };
}

/** Returns the values of some blobs from a field-major buffer. */
function selectSlots(slots: Float32Array, blobs: Uint32Array): Float32Array {
  const count = slots.length / parameterCount;
  return Float32Array.from({ length: parameterCount * blobs.length }, (_, i) => {
    return slots[Math.floor(i / blobs.length) * count + blobs[i % blobs.length]];
  });
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}
