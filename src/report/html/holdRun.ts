import { evenChoice } from "../../engine/evenChoice.js";
import { metricsFile } from "../../engine/files/arrow.js";
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import type { RunRecord } from "../../engine/files/runRecord.js";
import { parameterCount } from "../../engine/model/blobs.js";
import type { HeldPictures, HeldRun } from "../heldRun.js";
import type { Room } from "./room.js";

/** What a document of one file has to hold of a run. */
export interface RunToHold {
  run: HeldRun;
  /** The run's pictures, and the PNG files that they are read from. */
  images: HeldPictures;
  files: HeldPictures<Uint8Array>;
}

/** A run as a document of one file holds it, with no more numbers than there is room for, and its pictures. */
export async function holdRun(run: RunRecord, name: string, room: Room): Promise<RunToHold> {
  const { description } = run;
  const { config } = description;
  if (description.regions) {
    throw run.source.refusal(
      "it was fitted by regions, which do not fit into one file; put its folder into data/runs and run npm run build.",
    );
  }
  const { parameters } = await run.parameters();
  const gradients = (await run.gradients()).at(-1);
  if (!gradients) throw run.source.refusal(`${runFiles.gradients} holds no gradients.`);
  const rows = await run.metrics();
  const images = {
    target: await run.target(),
    render: await run.picture(runFiles.render),
    film: await Promise.all(run.film.map((step) => run.frame(step))),
  };
  const files = {
    target: await run.file(runFiles.target),
    render: await run.file(runFiles.render),
    film: await Promise.all(run.film.map((step) => run.file(frameFile(step)))),
  };
  const blobs = evenChoice(config.blobs, room.blobs);
  const chosenRows = evenChoice(rows.length, room.rows);
  // The last row is what the run came to.
  if (chosenRows.length > 0) chosenRows[chosenRows.length - 1] = rows.length - 1;
  const heldRows = Array.from(chosenRows, (row) => rows[row]);
  const held = {
    name,
    // The document holds other files than the folder: fewer rows, maybe fewer blobs.
    description: { ...description, files: undefined },
    metrics: base64(metricsFile(config, heldRows, {})),
    blobs: blobs.length,
    parameters: base64(chosen(parameters, blobs)),
    gradients: { step: gradients.step, values: base64(chosen(gradients.gradients, blobs)) },
    film: run.film,
  };
  return { run: held, images, files };
}

/** The slots of some blobs out of a field-major buffer. */
function chosen(slots: Float32Array, blobs: Uint32Array): Float32Array {
  const count = slots.length / parameterCount;
  return Float32Array.from({ length: parameterCount * blobs.length }, (_, i) => {
    return slots[Math.floor(i / blobs.length) * count + blobs[i % blobs.length]];
  });
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array | Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}
