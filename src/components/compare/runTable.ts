import { html } from "htl";
import { linkThings, pin, thingName } from "../figures/pointing.js";
import { adapterName, bytesText, count } from "../page/format.js";
import { updateWhileShown } from "../training/follow.js";
import type { ComparedRun, Origin } from "./comparedRun.js";
import { type Comparison, maxChosen } from "./comparison.js";
import { replaceItems } from "./replaceItems.js";
import { type Result, results } from "./runRow.js";

interface Column {
  name: string;
  /** Returns the value to sort by; undefined if it is unknown. */
  value(run: ComparedRun): number | string | undefined;
  show?(value: never, run: ComparedRun): string;
  /** Numbers are right-aligned, and sorted with the largest first. */
  isNumber?: boolean;
}

const origins: Record<Origin, string> = { saved: "saved here", file: "file", recorded: "recorded" };
const formatDate = (time: number) => new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
const numberColumn = (name: string, { fact, text }: Result): Column => ({
  name,
  value: ({ facts }) => facts[fact],
  show: text,
  isNumber: true,
});
/** Returns a column of loss or PSNR. A single metrics.arrow has that of the last training step, not of the final render. */
const measuredColumn = (name: string): Column => {
  const show = (value: number, { facts }: ComparedRun) =>
    `${results[name].text(value)}${facts.isTraining ? " (training)" : ""}`;
  return { ...numberColumn(name, results[name]), show };
};

const columns: Column[] = [
  { name: "run", value: ({ name }) => name },
  { name: "from", value: ({ origin }) => origins[origin] },
  { name: "preset", value: ({ config }) => config.preset },
  { name: "blobs", value: ({ config }) => config.blobs, show: count, isNumber: true },
  numberColumn("steps", results["steps trained"]),
  numberColumn("seconds", results.seconds),
  measuredColumn("loss"),
  measuredColumn("PSNR, dB"),
  numberColumn("steps/s", results["steps/s"]),
  { name: "adapter", value: ({ facts }) => facts.adapter && adapterName(facts.adapter) },
  numberColumn("size", { fact: "bytes", text: bytesText }),
  { name: "date", value: ({ facts }) => facts.date && Date.parse(facts.date), show: formatDate },
];

/** Returns an input with one row per run, sortable by any column. Its value is the runs selected for comparison. */
export function runTable(comparison: Comparison): HTMLElement & { value: ComparedRun[] } {
  let [sortedBy, isDescending] = [columns.length - 1, true];
  const headers = columns.map(({ name, isNumber }, i) => {
    const onclick = () => {
      // The first click on a column of numbers sorts the largest first.
      isDescending = sortedBy === i ? !isDescending : isNumber === true;
      sortedBy = i;
      show();
    };
    return html`<th scope="col" class=${isNumber && "number"}><button type="button" onclick=${onclick}>${name}</button></th>`;
  });
  const body = html`<tbody></tbody>`;
  const allBox = html<HTMLInputElement>`<input type="checkbox" aria-label="Compare all runs" onchange=${() => comparison.chooseAll(allBox.checked)}>`;
  // Hidden until the stored runs have been read.
  const table = html`<table class="compare-table" aria-label="Runs" hidden>
    <thead><tr><td>${allBox}</td>${headers}</tr></thead>
    ${body}
  </table>`;
  const empty = html`<p class="compare-empty" hidden>There are no runs yet. Save a run in the lab, drop a folder that splatbook fit wrote, or add the recorded runs.</p>`;
  // Ticking a box is no change of the value yet.
  const oninput = (event: Event) => {
    if (event.target !== node) event.stopImmediatePropagation();
  };
  const node = html<
    HTMLElement & { value: ComparedRun[] }
  >`<div class="table-scroll" tabindex="0" role="region" aria-label="Runs, scrolls sideways" oninput=${oninput}>${[table, empty]}</div>`;
  let shown = "";
  const show = () => {
    const runs = sortRuns(comparison.runs, columns[sortedBy], isDescending);
    const rows = runs.map((run) => row(comparison, run));
    replaceItems(body, rows);
    for (const [i, header] of headers.entries()) {
      header.ariaSort = i === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    const chosenCount = comparison.chosen.length;
    allBox.checked = chosenCount > 0 && chosenCount === Math.min(rows.length, maxChosen);
    allBox.indeterminate = chosenCount > 0 && !allBox.checked;
    table.hidden = rows.length === 0;
    empty.hidden = rows.length > 0;
  };
  void updateWhileShown(comparison, node, () => {
    if (comparison.runs.length > 0 || shown !== "") show();
    const key = JSON.stringify(comparison.chosen.map(({ id, name }) => [id, name]));
    if (key === shown) return;
    shown = key;
    node.value = comparison.chosen.slice();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return node;
}

function row(comparison: Comparison, run: ComparedRun): HTMLElement {
  const isChosen = comparison.chosen.includes(run);
  const isUnavailable = !isChosen && comparison.isFull;
  const title = isUnavailable && `At most ${maxChosen} runs can be compared. Deselect one first.`;
  const thing = thingName("run", run.name);
  const { report } = run.facts;
  const cells = columns.slice(1).map(({ name, value, show, isNumber }) => {
    const cellValue = value(run);
    const text = cellValue === undefined ? "–" : show ? show(cellValue as never, run) : String(cellValue);
    const content = report && name === "from" ? html`<a href=${report} title="Report">${text}</a>` : text;
    return html`<td class=${isNumber && "number"}>${content}</td>`;
  });
  const node = html`<tr data-id=${run.id}>
    <td><input type="checkbox" checked=${isChosen} disabled=${isUnavailable} title=${title}
      aria-label="Compare ${run.name}" onchange=${() => comparison.toggle(run)}></td>
    <th scope="row"><button type="button" class="run-name" disabled=${!isChosen} title="${isChosen ? "Highlight " : ""}${run.name}"
      onclick=${() => pin(thing)}><span>${run.name}</span></button></th>
    ${cells}
  </tr>`;
  return isChosen ? linkThings(node, thing) : node;
}

/** Returns runs in the order of a column; unknown values come last in either direction. */
function sortRuns(runs: readonly ComparedRun[], { value }: Column, isDescending: boolean): ComparedRun[] {
  const sign = isDescending ? -1 : 1;
  return runs.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    if (typeof x === "number" && typeof y === "number") return sign * (x - y || 0);
    return sign * String(x).localeCompare(String(y));
  });
}
