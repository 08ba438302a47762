import type { HeldRun } from "../../components/report/heldRun.js";
import { evenChoice } from "../../components/runs/evenChoice.js";
import { metricsFile } from "../../engine/arrow.js";
import { parameterCount } from "../../engine/blobs.js";
import { frameFile, runFiles } from "../../engine/runFiles.js";
import type { RunRecord } from "../../engine/runRecord.js";

/** How much of its numbers a document holds at most. */
export interface Room {
  blobs: number;
  rows: number;
}

/** A run as a document of one file holds it, with no more numbers than there is room for. */
export async function holdRun(run: RunRecord, name: string, room: Room): Promise<HeldRun> {
  const { description } = run;
  const { config } = description;
  const { parameters } = await run.parameters();
  const gradients = (await run.gradients()).at(-1);
  if (!gradients) throw run.source.refusal(`${runFiles.gradients} holds no gradients.`);
  const rows = await run.metrics();
  // That they are pictures, and the right ones, is found here rather than in the reader's browser.
  await run.target();
  await run.picture(runFiles.render);
  for (const step of run.film) await run.frame(step);
  const blobs = evenChoice(config.blobs, room.blobs);
  const chosenRows = evenChoice(rows.length, room.rows);
  // The last row is what the run came to.
  if (chosenRows.length > 0) chosenRows[chosenRows.length - 1] = rows.length - 1;
  return {
    name,
    // The document holds other files than the folder: fewer rows, maybe fewer blobs.
    description: { ...description, files: undefined },
    metrics: base64(
      metricsFile(
        config,
        Array.from(chosenRows, (row) => rows[row]),
      ),
    ),
    blobs: blobs.length,
    parameters: base64(chosen(parameters, blobs)),
    gradients: { step: gradients.step, values: base64(chosen(gradients.gradients, blobs)) },
    target: base64(await run.file(runFiles.target)),
    render: base64(await run.file(runFiles.render)),
    film: await Promise.all(run.film.map(async (step) => ({ step, png: base64(await run.file(frameFile(step))) }))),
  };
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
