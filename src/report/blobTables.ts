import { observePinned, observePointed, thingName } from "../components/figures/pointing.js";
import type { ImageViewport } from "../components/images/imageViewport.js";
import { heaviestThing, outlinesOf } from "../components/lab/heaviest.js";
import { runInFrames } from "../components/lab/runInFrames.js";
import { decodeScene } from "../components/lab/scene.js";
import { count, counted, showNumber } from "../components/page/format.js";
import { type ColumnNotes, gradientNotes, parameterNotes } from "../engine/files/columnNotes.js";
import { decodedValues, modelOf } from "../engine/model/blob.js";
import { decodedNames, rawNames } from "../engine/model/blobs.js";
import type { Report } from "./report.js";
import { type SortedTable, sortedTable } from "./table.js";

const shownRows = 10;

/** Returns tables of a report's blobs: their decoded parameters, and their gradients. */
export function blobTables({
  description,
  blobs,
  parameters,
  gradients,
}: Report): Record<"parameters" | "gradients", SortedTable> {
  const { config, image } = description;
  const model = modelOf(config, image);
  const tableOf = (
    label: string,
    names: readonly string[],
    notes: ColumnNotes,
    valueAt: (row: number, column: number) => number,
  ) => {
    const columns = names.map((name, column) => ({
      head: name.replace("_decoded", ""),
      help: notes[name].description,
      value: (row: number) => valueAt(row, column),
      show: (row: number) => showNumber(valueAt(row, column)),
    }));
    const blob = { head: "blob", value: (row: number) => blobs[row] };
    return sortedTable(label, blobs.length, [blob, ...columns], {
      limit: shownRows,
      thingOf: (row) => thingName("blob", blobs[row]),
    });
  };
  return {
    parameters: tableOf(
      "Parameters",
      decodedNames,
      parameterNotes(config),
      (row, column) => decodedValues(parameters, row, model)[column],
    ),
    gradients: tableOf(
      "Gradients",
      rawNames(config.parameterization),
      gradientNotes(config),
      (row, column) => gradients.values[column * blobs.length + row],
    ),
  };
}

/** Returns which of a report's blobs the tables show. */
export function shownBlobs({ description: { config }, blobs }: Report): string {
  const shown = `${count(Math.min(shownRows, blobs.length))} of ${counted(config.blobs, "blob")}`;
  const sample = blobs.length < config.blobs ? `, from an even sample of ${count(blobs.length)}` : "";
  return `${shown}${sample}.`;
}

/**
 * Links the blobs in a report's images with their rows: pointing at one marks the other, and a click shows its row first.
 * If the report has only a sample of the blobs, the heaviest blob of a pixel is unknown, so only rows can be pointed at.
 */
export function linkBlobs(
  report: Report,
  node: HTMLElement,
  viewport: ImageViewport,
  tables: readonly SortedTable[],
): void {
  const { description, target, blobs, parameters } = report;
  const { config } = description;
  let [pointed, pinned]: (number | null)[] = [null, null];
  const rowOf = (blob: number | null) => (blob === null ? null : blobs.indexOf(blob));
  const connect = async () => {
    const scene = await runInFrames(decodeScene({ config, target: { image: target } }, { state: { parameters } }));
    const draw = () => viewport.draw(...outlinesOf(scene, rowOf(pointed), rowOf(pinned)));
    if (blobs.length === config.blobs) viewport.find(({ x, y }) => heaviestThing(scene, x, y));
    observePointed("blob")((blob) => {
      pointed = blob;
      draw();
    });
    observePinned("blob")((blob) => {
      pinned = blob;
      draw();
      const row = rowOf(blob);
      if (row !== null && row >= 0) for (const table of tables) table.find(row);
    });
  };
  // Decoding takes long, so it waits for the reader's pointer or focus.
  let isConnected = false;
  const start = () => {
    if (!isConnected) void connect();
    isConnected = true;
  };
  for (const type of ["pointerover", "focusin"]) node.addEventListener(type, start, { once: true });
}
