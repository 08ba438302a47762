import { linkThings, pin, thingName } from "../figures/pointing.js";
import { element } from "../page/element.js";
import { bytesText, count, rate, secondsCount } from "../page/format.js";
import { lineSwatch, runStyle } from "../runs/runStyle.js";

import { updateWhileShown } from "../training/follow.js";
import type { ComparedRun, Origin, RunFacts } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";

interface Column {
  name: string;
  /** What the table sorts by; undefined where it is not known. */
  value(run: ComparedRun): number | string | undefined;
  show?(value: never, run: ComparedRun): string;
  /** Numbers stand to the right, and are sorted with the largest first. */
  isNumber?: boolean;
}

const origins: Record<Origin, string> = { kept: "saved here", file: "file", recorded: "recorded" };
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

/** Says so where a number is not of the final render: metrics.arrow alone has the last training step. */
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
  { name: "adapter", value: ({ facts }) => facts.adapter },
  numberColumn("size", "bytes", bytesText),
  { name: "date", value: ({ facts }) => facts.date && Date.parse(facts.date), show: formatDate },
];

const emptyText =
  "There are no runs yet. Save a run in the lab, drop a folder that splatbook fit wrote, or add the recorded runs.";

/** An input for `view`: all runs on the page, a row each, which sort by any column; its value is those that are compared. */
export function runTable(comparison: Comparison): HTMLElement & { value: ComparedRun[] } {
  let [sortedBy, isDescending] = [columns.length - 1, true];
  const headers = columns.map(({ name, isNumber }, i) => {
    const onclick = () => {
      // The first click on a column of numbers brings the largest to the top.
      isDescending = sortedBy === i ? !isDescending : isNumber === true;
      sortedBy = i;
      show();
    };
    const button = element("button", { type: "button", onclick }, name);
    return element("th", { scope: "col", class: isNumber && "number" }, button);
  });
  const selectHead = element("th", { scope: "col" }, element("span", { class: "visually-hidden" }, "compare"));
  const body = element("tbody");
  const head = element("thead", {}, element("tr", {}, selectHead, ...headers));
  const table = element("table", { class: "compare-table", "aria-label": "Runs" }, head, body);
  const scroll = { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Runs, scrolls sideways" };
  const node = element("div", scroll) as unknown as HTMLElement & { value: ComparedRun[] };
  let shown = "";
  const show = () => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.focus;
    const rows = sortRuns(comparison.runs, columns[sortedBy], isDescending);
    body.replaceChildren(...rows.map((run) => row(comparison, run)));
    for (const [i, header] of headers.entries()) {
      header.ariaSort = i === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    node.replaceChildren(rows.length > 0 ? table : element("p", { class: "compare-empty" }, emptyText));
    if (focused) body.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  };
  void updateWhileShown(comparison, node, () => {
    // Whether there are runs is not known before the first have come.
    if (comparison.runs.length > 0 || shown !== "") show();
    const key = JSON.stringify(comparison.chosen.map(({ id, name }) => [id, name]));
    if (key === shown) return;
    shown = key;
    node.value = comparison.chosen.slice();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  });
  // Ticks and names are not its values.
  node.addEventListener("input", (event) => {
    if (event.target !== node) event.stopImmediatePropagation();
  });
  return node;
}

function row(comparison: Comparison, run: ComparedRun): HTMLElement {
  const position = comparison.chosen.indexOf(run);
  const isChosen = position >= 0;
  const isUnavailable = !isChosen && comparison.isFull;
  const checkbox = element("input", {
    type: "checkbox",
    checked: isChosen,
    disabled: isUnavailable,
    title: isUnavailable ? "At most six runs can be compared. Deselect one first." : undefined,
    "aria-label": `Compare ${run.name}`,
    "data-focus": `box ${run.id}`,
    onchange: () => comparison.toggle(run),
  });
  const title = isChosen ? `Highlight ${run.name}` : run.name;
  const thing = thingName("run", run.name);
  const pinRun = () => pin(thing);
  const name = element(
    "button",
    { type: "button", class: "run-name", disabled: !isChosen, title, "data-focus": `name ${run.id}`, onclick: pinRun },
    isChosen && lineSwatch(runStyle(position)),
    element("span", {}, run.name),
  );
  const cells = columns.slice(1).map(({ value, show, isNumber }) => {
    const cellValue = value(run);
    const text = cellValue === undefined ? "–" : show ? show(cellValue as never, run) : String(cellValue);
    return element("td", { class: isNumber && "number" }, text);
  });
  const { report } = run.facts;
  if (report) cells[0].replaceChildren(element("a", { href: report, title: "Report" }, origins.recorded));
  const head = element("th", { scope: "row" }, name);
  const node = element("tr", {}, element("td", {}, checkbox), head, ...cells);
  return isChosen ? linkThings(node, thing) : node;
}

/** What is not known comes last, whichever way. */
function sortRuns(runs: readonly ComparedRun[], { value }: Column, isDescending: boolean): ComparedRun[] {
  const sign = isDescending ? -1 : 1;
  return runs.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    if (typeof x === "number" && typeof y === "number") return sign * (x - y || 0);
    return sign * String(x).localeCompare(String(y));
  });
}
