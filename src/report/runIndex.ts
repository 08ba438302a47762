import { element } from "../components/page/element.js";
import { count, decibels, secondsCount } from "../components/page/format.js";
import type { RecordedRun } from "../engine/files/recordedRun.js";
import { psnrOf } from "./summary.js";

/** A column: its head, what it sorts by, and its text. */
interface Column {
  head: string;
  by(run: RecordedRun): number | string;
  text(run: RecordedRun): string;
}

const columns: Column[] = [
  { head: "image", by: pictureOf, text: pictureOf },
  {
    head: "preset",
    by: ({ description }) => description.config.preset,
    text: ({ description }) => description.config.preset,
  },
  numbers("blobs", ({ description }) => description.config.blobs, count),
  numbers("steps", ({ description }) => description.step, count),
  numbers("PSNR", ({ description }) => psnrOf(description.result), decibels),
  numbers("seconds", ({ description }) => description.timings.seconds, secondsCount),
  { head: "adapter", by: ({ description }) => description.adapter, text: ({ description }) => description.adapter },
  {
    head: "recorded",
    by: ({ description }) => description.timings.finishedAt,
    text: ({ description }) => description.timings.finishedAt.slice(0, 10),
  },
];

function pictureOf({ description }: RecordedRun): string {
  const { name, width, height } = description.image;
  return `${name}, ${width} × ${height}`;
}

function numbers(head: string, by: (run: RecordedRun) => number, text: (value: number) => string): Column {
  return { head, by, text: (run) => text(by(run)) };
}

/** The recorded runs as a table that sorts by any column, the latest first; each leads to its report. */
export function runIndex(runs: readonly RecordedRun[]): HTMLElement {
  if (runs.length === 0) return element("p", {}, "There are no recorded runs yet.");
  let sorted = columns.length - 1;
  let isDescending = true;
  const body = element("tbody");
  const heads = columns.map(({ head }, i) => {
    const sort = () => {
      isDescending = sorted === i ? !isDescending : typeof columns[i].by(runs[0]) === "number";
      sorted = i;
      show();
    };
    const isNumber = typeof columns[i].by(runs[0]) === "number";
    return element(
      "th",
      { scope: "col", class: isNumber && "number" },
      element("button", { type: "button", onclick: sort }, head),
    );
  });
  const show = () => {
    const { by } = columns[sorted];
    const sign = isDescending ? -1 : 1;
    const order = runs.toSorted((a, b) => sign * compare(by(a), by(b)));
    body.replaceChildren(...order.map(row));
    for (const [i, head] of heads.entries())
      head.ariaSort = i === sorted ? (isDescending ? "descending" : "ascending") : "none";
  };
  show();
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
    ...columns.map(({ by, text }) => element("td", { class: typeof by(run) === "number" && "number" }, text(run))),
  );
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
