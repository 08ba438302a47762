import { type BlobColumns, columnNames, sortedRows } from "./blobColumns.js";
import { element } from "./element.js";
import { count } from "./format.js";
import type { Lab } from "./lab.js";
import type { View } from "./labRun.js";
import { paintLive } from "./painter.js";

const pageRows = 10;

/** A way to look at a view's blobs. */
export interface TableVariant {
  name: string;
  columns(view: View, lab: Lab): BlobColumns;
}

/**
 * A table with a row a blob that follows the run, sorts by any column and pages.
 * @param title says of what, before "at step n"
 * @param variants what it can show; with more than one, a switch chooses
 */
export function blobTable(lab: Lab, title: string, variants: TableVariant[]): HTMLElement {
  let [variant] = variants;
  let sortedBy = -1;
  let isDescending = false;
  let page = 0;

  const heading = element("strong", {}, title);
  const step = element("span", { class: "figure-note" });
  const names = ["blob", ...columnNames];
  const headers = names.map((name, i) => {
    const sort = () => {
      // The first click on a column of numbers brings the largest to the top.
      isDescending = sortedBy === i - 1 ? !isDescending : i > 0;
      sortedBy = i - 1;
      page = 0;
      refresh();
    };
    return element("th", { scope: "col" }, element("button", { type: "button", onclick: sort }, name));
  });
  const body = element("tbody");
  const table = element(
    "table",
    { class: "blob-table", "aria-label": title },
    element("thead", {}, element("tr", {}, ...headers)),
    body,
  );
  const turn = (to: (pages: number) => number) => () => {
    page = to(pages());
    refresh();
  };
  const first = element("button", { type: "button", "aria-label": "First page", onclick: turn(() => 0) }, "«");
  const previous = element(
    "button",
    { type: "button", "aria-label": "Previous page", onclick: turn(() => page - 1) },
    "‹",
  );
  const next = element("button", { type: "button", "aria-label": "Next page", onclick: turn(() => page + 1) }, "›");
  const last = element("button", { type: "button", "aria-label": "Last page", onclick: turn((n) => n - 1) }, "»");
  const place = element("span", { class: "page-place" });
  const choice = element(
    "fieldset",
    { class: "switch" },
    ...variants.map((candidate, i) => {
      const onchange = () => {
        variant = candidate;
        refresh();
      };
      const radio = element("input", { type: "radio", name: `${title} as`, checked: i === 0, onchange });
      return element("label", {}, radio, candidate.name);
    }),
  );
  const node = element(
    "figure",
    { class: "table-figure" },
    element("figcaption", {}, heading, step, variants.length > 1 && choice),
    element(
      "div",
      { class: "table-scroll", tabindex: 0, role: "region", "aria-label": `${title}, scrolls sideways` },
      table,
    ),
    element("div", { class: "pager" }, first, previous, place, next, last),
  );
  const pages = () => Math.max(1, Math.ceil((lab.run?.config.blobs ?? 0) / pageRows));

  const show = () => {
    const view = lab.run?.view;
    if (!view) return;
    const columns = variant.columns(view, lab);
    page = Math.min(Math.max(page, 0), pages() - 1);
    const start = page * pageRows;
    const rows = sortedRows(columns, sortedBy, isDescending).subarray(start, start + pageRows);
    body.replaceChildren(...Array.from(rows, (row) => tableRow(columns, row)));
    step.textContent = `at step ${count(view.state.step)}`;
    for (const [i, header] of headers.entries()) {
      header.ariaSort = i - 1 === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    place.textContent = `${count(start + 1)}–${count(start + rows.length)} of ${count(columns.rows)}`;
    first.disabled = previous.disabled = page === 0;
    next.disabled = last.disabled = page === pages() - 1;
  };
  const refresh = paintLive(node, lab, show);
  return node;
}

function tableRow(columns: BlobColumns, row: number): HTMLElement {
  const numbers = columnNames.map((_, column) => element("td", {}, showNumber(columns.value(column, row))));
  return element("tr", {}, element("th", { scope: "row" }, String(row)), ...numbers);
}

/** Five decimals, so that points stand below each other; an exponent where they would tell too little or too much. */
export function showNumber(value: number): string {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-2 && size < 1e3) ? value.toFixed(5) : value.toExponential(3);
}
