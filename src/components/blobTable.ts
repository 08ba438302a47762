import { type BlobColumns, columnNames, sortedRows } from "./blobColumns.js";
import { element } from "./element.js";
import { count } from "./format.js";

const pageRows = 10;

/** A way to look at blobs. */
export interface TableVariant {
  name: string;
  /** What there is now, if there is anything yet. */
  read(): { columns: BlobColumns; note: string } | undefined;
}

/** Has the table shown whenever it has to be, and returns what asks for it for another reason. */
type Follow = (table: HTMLElement, show: () => void) => () => void;

const once: Follow = (_, show) => {
  show();
  return show;
};

/**
 * A table with a row a blob that sorts by any column and pages.
 * @param title says of what; the variant's note stands beside it
 * @param variants what it can show; with more than one, a switch chooses
 * @param follow for blobs that change
 */
export function blobTable(title: string, variants: TableVariant[], follow = once): HTMLElement {
  let [variant] = variants;
  let sortedBy = -1;
  let isDescending = false;
  let page = 0;

  const heading = element("strong", {}, title);
  const noteText = element("span", { class: "figure-note" });
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
    element("figcaption", {}, heading, noteText, variants.length > 1 && choice),
    element(
      "div",
      { class: "table-scroll", tabindex: 0, role: "region", "aria-label": `${title}, scrolls sideways` },
      table,
    ),
    element("div", { class: "pager" }, first, previous, place, next, last),
  );
  let rowCount = 0;
  const pages = () => Math.max(1, Math.ceil(rowCount / pageRows));

  const show = () => {
    const shown = variant.read();
    if (!shown) return;
    const { columns, note } = shown;
    rowCount = columns.rows;
    page = Math.min(Math.max(page, 0), pages() - 1);
    const start = page * pageRows;
    const rows = sortedRows(columns, sortedBy, isDescending).subarray(start, start + pageRows);
    body.replaceChildren(...Array.from(rows, (row) => tableRow(columns, row)));
    noteText.textContent = note;
    for (const [i, header] of headers.entries()) {
      header.ariaSort = i - 1 === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    place.textContent = `${count(start + 1)}–${count(start + rows.length)} of ${count(columns.rows)}`;
    first.disabled = previous.disabled = page === 0;
    next.disabled = last.disabled = page === pages() - 1;
  };
  const refresh = follow(node, show);
  return node;
}

function tableRow(columns: BlobColumns, row: number): HTMLElement {
  const numbers = columnNames.map((_, column) => element("td", {}, showNumber(columns.value(column, row))));
  return element("tr", {}, element("th", { scope: "row" }, String(columns.blob?.(row) ?? row)), ...numbers);
}

/** Five decimals, so that points stand below each other; an exponent where they would tell too little or too much. */
export function showNumber(value: number): string {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-2 && size < 1e3) ? value.toFixed(5) : value.toExponential(3);
}
