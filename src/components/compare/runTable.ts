import { html } from "htl";
import { linkThings, pin, thingName } from "../figures/pointing.js";
import { adapterName, bytesText, count, rate, secondsCount } from "../page/format.js";
import { updateWhileShown } from "../training/follow.js";
import type { ComparedRun, Origin, RunFacts } from "./comparedRun.js";
import { type Comparison, maxChosen } from "./comparison.js";

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
const numberColumn = (
  name: string,
  field: Exclude<keyof RunFacts, "isTraining">,
  show: (value: number, run: ComparedRun) => string,
): Column => ({
  name,
  value: ({ facts }) => facts[field],
  show,
  isNumber: true,
});

/** Marks a value of the last training step, which a single metrics.arrow has, rather than the final render. */
const measured = (text: string, { facts }: ComparedRun) => (facts.isTraining ? `${text} (training)` : text);

const columns: Column[] = [
  { name: "run", value: ({ name }) => name },
  { name: "from", value: ({ origin }) => origins[origin] },
  { name: "preset", value: ({ config }) => config.preset },
  { name: "blobs", value: ({ config }) => config.blobs, show: count, isNumber: true },
  numberColumn("steps", "steps", count),
  numberColumn("seconds", "seconds", secondsCount),
  numberColumn("loss", "loss", (loss, run) => measured(loss.toPrecision(3), run)),
  numberColumn("PSNR, dB", "psnr", (psnr, run) => measured(Number.isFinite(psnr) ? psnr.toFixed(2) : "∞", run)),
  numberColumn("steps/s", "stepsPerSecond", rate),
  { name: "adapter", value: ({ facts }) => facts.adapter && adapterName(facts.adapter) },
  numberColumn("size", "bytes", bytesText),
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
  const table = html`<table class="compare-table" aria-label="Runs">
    <thead><tr><td>${allBox}</td>${headers}</tr></thead>
    ${body}
  </table>`;
  const empty = html`<p class="compare-empty">There are no runs yet. Save a run in the lab, drop a folder that splatbook fit wrote, or add the recorded runs.</p>`;
  // Ticking a box is no change of the value yet.
  const oninput = (event: Event) => {
    if (event.target !== node) event.stopImmediatePropagation();
  };
  const node = html<
    HTMLElement & { value: ComparedRun[] }
  >`<div class="table-scroll" tabindex="0" role="region" aria-label="Runs, scrolls sideways" oninput=${oninput}></div>`;
  let shown = "";
  const show = () => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.focus;
    const rows = sortRuns(comparison.runs, columns[sortedBy], isDescending);
    body.replaceChildren(...rows.map((run) => row(comparison, run)));
    for (const [i, header] of headers.entries()) {
      header.ariaSort = i === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    const chosenCount = comparison.chosen.length;
    allBox.checked = chosenCount > 0 && chosenCount === Math.min(rows.length, maxChosen);
    allBox.indeterminate = chosenCount > 0 && !allBox.checked;
    node.replaceChildren(rows.length > 0 ? table : empty);
    if (focused) body.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  };
  void updateWhileShown(comparison, node, () => {
    // Show nothing until the stored runs have been read.
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
  const node = html`<tr>
    <td><input type="checkbox" checked=${isChosen} disabled=${isUnavailable} title=${title}
      aria-label="Compare ${run.name}" data-focus="box ${run.id}" onchange=${() => comparison.toggle(run)}></td>
    <th scope="row"><button type="button" class="run-name" disabled=${!isChosen} title="${isChosen ? "Highlight " : ""}${run.name}"
      data-focus="name ${run.id}" onclick=${() => pin(thing)}><span>${run.name}</span></button></th>
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
