import { html } from "htl";
import { adapterName, count, counted, decibels, secondsCount } from "../components/page/format.js";
import type { RecordedRun } from "../engine/files/recordedRun.js";
import { type Column, numberColumn, sortedTable, textColumn } from "./sortedTable.js";
import { psnrOf } from "./summary.js";

const columns: Column<RecordedRun>[] = [
  textColumn("image", ({ description: { image } }) => `${image.name}, ${image.width} × ${image.height}`),
  textColumn("preset", ({ description }) => description.config.preset),
  numberColumn("blobs", ({ description }) => description.config.blobs, count),
  numberColumn("steps", ({ description }) => description.step, count),
  numberColumn("PSNR", ({ description }) => psnrOf(description.result), decibels),
  numberColumn("seconds", ({ description }) => description.timings.seconds, secondsCount),
  textColumn("adapter", ({ description }) => adapterName(description.adapter)),
  {
    head: "recorded",
    sortKey: ({ description }) => description.timings.finishedAt,
    text: ({ description }) => description.timings.finishedAt.slice(0, 10),
  },
];

/** Returns a sortable table of the recorded runs, the latest first, with links to their reports. */
export function runIndex(runs: readonly RecordedRun[]): HTMLElement {
  if (runs.length === 0) return html`<p>There are no recorded runs yet.</p>`;
  return sortedTable("Recorded runs", runs, columns, "recorded", ({ name, thumbnail, sweptRuns }) => [
    html`<span><a href=${`./${name}.html`}>${name}</a>${sweptRuns && `, best of ${counted(sweptRuns, "run")}`}</span>`,
    html`<img src=${thumbnail} alt="" width="72" height="72">`,
  ]);
}
