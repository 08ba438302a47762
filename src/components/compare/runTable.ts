import { html } from "htl";
import { adapterName, count, secondsCount } from "../page/format.js";
import { updateWhileShown } from "../training/follow.js";
import type { ComparedRun } from "./comparedRun.js";
import { type Comparison, maxChosen } from "./comparison.js";
import { replaceItems } from "./replaceItems.js";

interface Column {
  name: string;
  /** Returns the value to sort by. Numbers are right-aligned, and sorted with the largest first. */
  value(run: ComparedRun): number | string;
  show?(value: never, run: ComparedRun): Node | string;
}

const formatDate = (time: number) => new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
const fromText = (origin: string, { facts }: ComparedRun) =>
  facts.report ? html`<a href=${facts.report} title="Report">${origin}</a>` : origin;

const columns: Column[] = [
  { name: "run", value: ({ name }) => name },
  { name: "from", value: ({ origin }) => origin, show: fromText },
  { name: "image", value: ({ facts }) => facts.image },
  { name: "preset", value: ({ config }) => config.preset },
  { name: "blobs", value: ({ config }) => config.blobs, show: count },
  { name: "steps", value: ({ facts }) => facts.step, show: count },
  {
    name: "PSNR, dB",
    value: ({ facts }) => facts.psnr,
    show: (psnr: number) => psnr.toFixed(2).replace("Infinity", "∞"),
  },
  { name: "seconds", value: ({ facts }) => facts.seconds, show: secondsCount },
  { name: "adapter", value: ({ facts }) => adapterName(facts.adapter) },
  { name: "date", value: ({ facts }) => Date.parse(facts.date), show: formatDate },
];
const isNumber = ({ show }: Column) => show !== undefined && show !== fromText && show !== formatDate;

/** Returns an input with one row per run, sortable by any column. Its value is the runs selected for comparison. */
export function runTable(comparison: Comparison): HTMLElement & { value: ComparedRun[] } {
  let [sortedBy, isDescending] = [columns.length - 1, true];
  const headers = columns.map((column, i) => {
    const onclick = () => {
      isDescending = sortedBy === i ? !isDescending : isNumber(column);
      sortedBy = i;
      show();
    };
    return html`<th scope="col" class=${isNumber(column) && "number"}><button type="button" onclick=${onclick}>${column.name}</button></th>`;
  });
  const body = html`<tbody></tbody>`;
  // Ticking a box is no change of the value yet.
  const oninput = (event: Event) => event.target !== node && event.stopImmediatePropagation();
  const node = html<HTMLElement & { value: ComparedRun[] }>`<div
    class="wide" tabindex="0" role="region" aria-label="Runs, scrolls sideways" oninput=${oninput}
  ><table class="compare-table" aria-label="Runs"><thead><tr><td></td>${headers}</tr></thead>${body}</table></div>`;
  const show = () => {
    const { value } = columns[sortedBy];
    const sign = isDescending ? -1 : 1;
    const order = (a: number | string, b: number | string) =>
      typeof a === "number" ? a - Number(b) : a.localeCompare(String(b));
    const runs = comparison.runs.toSorted((a, b) => sign * order(value(a), value(b)));
    const rows = runs.map((run) => rowOf(comparison, run));
    replaceItems(body, rows);
    for (const [i, header] of headers.entries())
      header.ariaSort = i === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
  };
  let shown = "";
  void updateWhileShown(comparison, node, () => {
    show();
    const key = JSON.stringify(comparison.chosen.map(({ id, name }) => [id, name]));
    if (key === shown) return;
    shown = key;
    node.value = comparison.chosen.slice();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return node;
}

function rowOf(comparison: Comparison, run: ComparedRun): HTMLElement {
  const isChosen = comparison.chosen.includes(run);
  const isUnavailable = !isChosen && comparison.isFull;
  const title = isUnavailable && `At most ${maxChosen} runs can be compared. Deselect one first.`;
  const cells = columns.map((column, i) => {
    const value = column.value(run);
    const content = column.show?.(value as never, run) ?? String(value);
    return i === 0
      ? html`<th scope="row">${content}</th>`
      : html`<td class=${isNumber(column) && "number"}>${content}</td>`;
  });
  return html`<tr data-id=${run.id}>
    <td><input type="checkbox" checked=${isChosen} disabled=${isUnavailable} title=${title}
      aria-label="Compare ${run.name}" onchange=${() => comparison.toggle(run)}></td>
    ${cells}
  </tr>`;
}
