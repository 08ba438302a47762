import { element } from "../components/page/element.js";
import { count, decibels, secondsCount } from "../components/page/format.js";
import type { RecordedRun } from "../engine/files/recordedRun.js";
import { psnrOf } from "./summary.js";

/** A column of the table. */
interface Column {
  head: string;
  sortKey(run: RecordedRun): number | string;
  text(run: RecordedRun): string;
}

const columns: Column[] = [
  { head: "image", sortKey: imageText, text: imageText },
  {
    head: "preset",
    sortKey: ({ description }) => description.config.preset,
    text: ({ description }) => description.config.preset,
  },
  numberColumn("blobs", ({ description }) => description.config.blobs, count),
  numberColumn("steps", ({ description }) => description.step, count),
  numberColumn("PSNR", ({ description }) => psnrOf(description.result), decibels),
  numberColumn("seconds", ({ description }) => description.timings.seconds, secondsCount),
  {
    head: "adapter",
    sortKey: ({ description }) => description.adapter,
    text: ({ description }) => description.adapter,
  },
  {
    head: "recorded",
    sortKey: ({ description }) => description.timings.finishedAt,
    text: ({ description }) => description.timings.finishedAt.slice(0, 10),
  },
];

function imageText({ description }: RecordedRun): string {
  const { name, width, height } = description.image;
  return `${name}, ${width} × ${height}`;
}

function numberColumn(head: string, sortKey: (run: RecordedRun) => number, text: (value: number) => string): Column {
  return { head, sortKey, text: (run) => text(sortKey(run)) };
}

/** Returns a sortable table of the recorded runs, the latest first, with links to their reports. */
export function runIndex(runs: readonly RecordedRun[]): HTMLElement {
  if (runs.length === 0) return element("p", {}, "There are no recorded runs yet.");
  let sortColumn = columns.length - 1;
  let isDescending = true;
  const body = element("tbody");
  const heads = columns.map(({ head }, i) => {
    const sort = () => {
      isDescending = sortColumn === i ? !isDescending : typeof columns[i].sortKey(runs[0]) === "number";
      sortColumn = i;
      renderRows();
    };
    const isNumber = typeof columns[i].sortKey(runs[0]) === "number";
    return element(
      "th",
      { scope: "col", class: isNumber && "number" },
      element("button", { type: "button", onclick: sort }, head),
    );
  });
  const renderRows = () => {
    const { sortKey } = columns[sortColumn];
    const sign = isDescending ? -1 : 1;
    const order = runs.toSorted((a, b) => sign * compare(sortKey(a), sortKey(b)));
    body.replaceChildren(...order.map(row));
    for (const [i, head] of heads.entries())
      head.ariaSort = i === sortColumn ? (isDescending ? "descending" : "ascending") : "none";
  };
  renderRows();
  return element(
    "div",
    { class: "table-scroll wide", tabindex: 0, role: "region", "aria-label": "Recorded runs, scrolls sideways" },
    element(
      "table",
      { class: "run-index" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "run"), element("td"), ...heads)),
      body,
    ),
  );
}

function row(run: RecordedRun): HTMLElement {
  const { name, thumbnail } = run;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("a", { href: `./${name}` }, name)),
    element("td", {}, element("img", { src: thumbnail, alt: "", width: 72, height: 72 })),
    ...columns.map(({ sortKey, text }) =>
      element("td", { class: typeof sortKey(run) === "number" && "number" }, text(run)),
    ),
  );
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
