import { element } from "../element.js";
import { bytesText, count, rate } from "../format.js";
import { lineSwatch } from "../runs/lineSwatch.js";
import { runStyle } from "../runs/runStyle.js";
import type { ComparedRun, Origin, RunFacts } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";

interface TableColumn {
  name: string;
  /** What the table sorts by; undefined where it is not known. */
  value(run: ComparedRun): number | string | undefined;
  show?(value: never): string;
  /** Numbers stand to the right, and are sorted with the largest first. */
  isNumber?: boolean;
}

const origins: Record<Origin, string> = { kept: "kept here", file: "file", recorded: "recorded" };

const number = (name: string, field: keyof RunFacts, show: (value: number) => string): TableColumn => ({
  name,
  value: ({ facts }) => facts[field],
  show,
  isNumber: true,
});

const columns: TableColumn[] = [
  { name: "run", value: ({ name }) => name },
  { name: "from", value: ({ origin }) => origins[origin] },
  { name: "preset", value: ({ config }) => config.preset },
  { name: "blobs", value: ({ config }) => config.blobs, show: count, isNumber: true },
  number("steps", "steps", count),
  number("seconds", "seconds", (seconds) => seconds.toPrecision(3)),
  number("loss", "loss", (loss) => loss.toPrecision(3)),
  number("PSNR, dB", "psnr", (psnr) => (Number.isFinite(psnr) ? psnr.toFixed(2) : "∞")),
  number("steps/s", "stepsPerSecond", rate),
  { name: "adapter", value: ({ facts }) => facts.adapter },
  number("size", "bytes", bytesText),
  { name: "date", value: ({ facts }) => facts.date && Date.parse(facts.date), show: day },
];

function day(time: number): string {
  return new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}

/** All runs on the page, a row each: sorts by any column, and chooses which are compared. */
export function compareTable(comparison: Comparison): HTMLElement {
  let sortedBy = columns.length - 1;
  let isDescending = true;
  const headers = columns.map(({ name, isNumber }, i) => {
    const onclick = () => {
      // The first click on a column of numbers brings the largest to the top.
      isDescending = sortedBy === i ? !isDescending : isNumber === true;
      sortedBy = i;
      show();
    };
    return element(
      "th",
      { scope: "col", class: isNumber && "number" },
      element("button", { type: "button", onclick }, name),
    );
  });
  const body = element("tbody");
  const table = element(
    "table",
    { class: "compare-table", "aria-label": "Runs" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", { scope: "col" }, element("span", { class: "visually-hidden" }, "compare")),
        ...headers,
      ),
    ),
    body,
  );
  const scroll = element(
    "div",
    { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Runs, scrolls sideways" },
    table,
  );
  const empty = element("p", { class: "compare-empty" }, emptyWords());
  /** @param isReading whether it is not known yet if there are runs */
  const show = (isReading = false) => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.focus;
    const rows = sorted(comparison.runs, columns[sortedBy], isDescending);
    body.replaceChildren(...rows.map((run) => row(comparison, run)));
    for (const [i, header] of headers.entries()) {
      header.ariaSort = i === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    scroll.hidden = comparison.runs.length === 0;
    empty.hidden = isReading || !scroll.hidden;
    if (focused) body.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  };
  comparison.observe("runs", () => show());
  show(true);
  return element("div", { class: "compare-runs" }, empty, scroll);
}

function emptyWords(): string {
  return "There is no run here yet. Keep one in the lab with the button Keep, drop the folder of a run that splatbook fit wrote, or add the recorded runs.";
}

function row(comparison: Comparison, run: ComparedRun): HTMLElement {
  const place = comparison.chosen.indexOf(run);
  const isChosen = place >= 0;
  const box = element("input", {
    type: "checkbox",
    checked: isChosen,
    disabled: !isChosen && comparison.isFull,
    title: !isChosen && comparison.isFull ? "Leave another run out first" : undefined,
    "aria-label": `Compare ${run.name}`,
    "data-focus": `box ${run.id}`,
    onchange: () => comparison.toggle(run),
  });
  const name = element(
    "button",
    {
      type: "button",
      class: "run-name",
      disabled: !isChosen,
      title: isChosen ? `Marks ${run.name} wherever it is drawn` : run.name,
      "data-focus": `name ${run.id}`,
    },
    isChosen && lineSwatch(runStyle(place)),
    element("span", {}, run.name),
  );
  const cells = columns.slice(1).map(({ value, show, isNumber }) => {
    const known = value(run);
    const text = known === undefined ? "–" : show ? show(known as never) : String(known);
    return element("td", { class: isNumber && "number" }, text);
  });
  const { report } = run.facts;
  if (report) cells[0].replaceChildren(element("a", { href: report, title: "Its report" }, origins.recorded));
  return element(
    "tr",
    { "data-run": isChosen ? place + 1 : undefined },
    element("td", {}, box),
    element("th", { scope: "row" }, name),
    ...cells,
  );
}

/** What is not known comes last, whichever way. */
function sorted(runs: readonly ComparedRun[], { value }: TableColumn, isDescending: boolean): ComparedRun[] {
  const sign = isDescending ? -1 : 1;
  return runs.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    if (typeof x === "number" && typeof y === "number") return sign * (x - y || 0);
    return sign * String(x).localeCompare(String(y));
  });
}
