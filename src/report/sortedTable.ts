import { html } from "htl";

/** A column of a table. */
export interface Column<Row> {
  head: string;
  sortKey(row: Row): number | string;
  text(row: Row): string;
  /** Numbers are right-aligned, and sorted with the largest first. */
  isNumber?: boolean;
}

/** Returns a column of text. */
export function textColumn<Row>(head: string, text: (row: Row) => string): Column<Row> {
  return { head, sortKey: text, text };
}

/** Returns a column of numbers. */
export function numberColumn<Row>(
  head: string,
  sortKey: (row: Row) => number,
  text: (value: number) => string,
): Column<Row> {
  return { head, sortKey, text: (row) => text(sortKey(row)), isNumber: true };
}

/**
 * Returns a table of rows that sorts by a click on the head of a column.
 * @param sorted the head of the column by which it is sorted at first, in descending order
 * @param start returns the link and the image at the start of a row
 */
export function sortedTable<Row>(
  label: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorted: string,
  start: (row: Row) => [Node, Node],
): HTMLElement {
  let sortedBy = columns.find(({ head }) => head === sorted)!;
  let isDescending = true;
  const drawn = rows.map((row) => {
    const [link, image] = start(row);
    const cells = columns.map((column) => html`<td class=${column.isNumber && "number"}>${column.text(row)}</td>`);
    return { row, node: html`<tr><th scope="row">${link}</th><td>${image}</td>${cells}</tr>` };
  });
  const heads = columns.map((column) => {
    const onclick = () => {
      isDescending = sortedBy === column ? !isDescending : column.isNumber === true;
      sortedBy = column;
      show();
    };
    return html`<th scope="col" class=${column.isNumber && "number"}><button type="button" onclick=${onclick}>${column.head}</button></th>`;
  });
  const body = html`<tbody></tbody>`;
  const show = () => {
    for (const [i, head] of heads.entries()) {
      head.ariaSort = columns[i] === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    const sign = isDescending ? -1 : 1;
    const sortedRows = drawn.toSorted((a, b) => sign * compare(sortedBy.sortKey(a.row), sortedBy.sortKey(b.row)));
    body.replaceChildren(...sortedRows.map(({ node }) => node));
  };
  show();
  return html`<div class="table-scroll wide" tabindex="0" role="region" aria-label=${`${label}, scrolls sideways`}>
    <table class="run-index" aria-label=${label}>
      <thead><tr><th scope="col">run</th><td></td>${heads}</tr></thead>
      ${body}
    </table>
  </div>`;
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
