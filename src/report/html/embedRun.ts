import { evenlySpacedIndices } from "../../engine/evenlySpaced.js";
import { metricsFile } from "../../engine/files/arrow.js";
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import type { RunRecord } from "../../engine/files/runRecord.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { type EmbeddedImages, type EmbeddedRun, toPlanes } from "../embeddedRun.js";
import { readReport } from "../report.js";
import { blobsNextTo, type EmbedLimits } from "./embedLimits.js";

/** A run to embed in a one-file report. */
export interface RunToEmbed {
  run: EmbeddedRun;
  /** The run's images, and their PNG files. */
  images: EmbeddedImages;
  files: EmbeddedImages<Uint8Array>;
}

/**
 * Returns a run to embed, with at most as many blobs and rows as the limits allow.
 * @throws Failure if the run has no report
 */
export async function embedRun(run: RunRecord, name: string, limits: EmbedLimits): Promise<RunToEmbed> {
  const { description, rows, parameters, gradients, target, render, film } = await readReport(run);
  const { config } = description;
  const images = { target, render, film: film.map(({ image }) => image) };
  const files = {
    target: await run.file(runFiles.target),
    render: await run.file(runFiles.render),
    film: await Promise.all(run.film.map((step) => run.file(frameFile(step)))),
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
  return { run: embedded, images, files };
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
