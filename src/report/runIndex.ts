import { html } from "htl";
import { adapterName, count, counted, decibels, secondsCount } from "../components/page/format.js";
import type { RecordedRun } from "../engine/files/recordedRun.js";
import { psnrOf } from "./summary.js";

/** A column of the table. */
interface Column {
  head: string;
  sortKey(run: RecordedRun): number | string;
  text(run: RecordedRun): string;
}

const columns: Column[] = [
  textColumn("image", ({ description: { image } }) => `${image.name}, ${image.width} × ${image.height}`),
  textColumn("preset", ({ description }) => description.config.preset),
  numberColumn("blobs", ({ description }) => description.config.blobs, count),
  {
    ...numberColumn("steps", ({ description }) => description.step, count),
    text: ({ description: { step, regions } }) => `${count(step)}${regions ? " per region" : ""}`,
  },
  numberColumn("PSNR", ({ description }) => psnrOf(description.result), decibels),
  numberColumn("seconds", ({ description }) => description.timings.seconds, secondsCount),
  textColumn("adapter", ({ description }) => adapterName(description.adapter)),
  {
    head: "recorded",
    sortKey: ({ description }) => description.timings.finishedAt,
    text: ({ description }) => description.timings.finishedAt.slice(0, 10),
  },
];

function textColumn(head: string, text: (run: RecordedRun) => string): Column {
  return { head, sortKey: text, text };
}

function numberColumn(head: string, sortKey: (run: RecordedRun) => number, text: (value: number) => string): Column {
  return { head, sortKey, text: (run) => text(sortKey(run)) };
}

/** Returns a sortable table of the recorded runs, the latest first, with links to their reports. */
export function runIndex(runs: readonly RecordedRun[]): HTMLElement {
  if (runs.length === 0) return html`<p>There are no recorded runs yet.</p>`;
  let sortColumn = columns.length - 1;
  let isDescending = true;
  const body = html`<tbody></tbody>`;
  const heads = columns.map((column, i) => {
    const sort = () => {
      isDescending = sortColumn === i ? !isDescending : isNumeric(column, runs[0]);
      sortColumn = i;
      renderRows();
    };
    return html`<th scope="col" class=${classOf(column, runs[0])}><button type="button" onclick=${sort}>${column.head}</button></th>`;
  });
  const renderRows = () => {
    const { sortKey } = columns[sortColumn];
    const sign = isDescending ? -1 : 1;
    body.replaceChildren(...runs.toSorted((a, b) => sign * compare(sortKey(a), sortKey(b))).map(row));
    for (const [i, head] of heads.entries())
      head.ariaSort = i === sortColumn ? (isDescending ? "descending" : "ascending") : "none";
  };
  renderRows();
  return html`<div class="table-scroll wide" tabindex="0" role="region" aria-label="Recorded runs, scrolls sideways">
    <table class="run-index">
      <thead><tr><th scope="col">run</th><td></td>${heads}</tr></thead>
      ${body}
    </table>
  </div>`;
}

const isNumeric = ({ sortKey }: Column, run: RecordedRun) => typeof sortKey(run) === "number";
const classOf = (column: Column, run: RecordedRun) => isNumeric(column, run) && "number";

function row(run: RecordedRun): HTMLElement {
  const { name, thumbnail } = run;
  return html`<tr>
    <th scope="row"><a href=${`./${name}.html`}>${name}</a>${run.sweptRuns && `, best of ${counted(run.sweptRuns, "run")}`}</th>
    <td><img src=${thumbnail} alt="" width="72" height="72"></td>
    ${columns.map((column) => html`<td class=${classOf(column, run)}>${column.text(run)}</td>`)}
  </tr>`;
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
