import { html } from "htl";
import { linkThings } from "../components/figures/pointing.js";

/** A column of a table. */
export interface Column {
  head: string;
  /** A description, shown when the head is pointed at. */
  help?: string;
  /** Returns the value that sorts a row. Numbers are aligned to the right. */
  value(row: number): number | string;
  /** Returns the content of a cell, by default the value. */
  show?(row: number): Node | string;
}

/** A table that sorts. */
export type SortedTable = HTMLElement & {
  /** Shows a row first, whatever the order is. */
  find(row: number): void;
};

/**
 * Returns a table that sorts by a click on the head of a column: numbers with the largest first, and NaN last.
 * @param rows number of rows
 * @param columns of which the first names the rows
 * @param limit the most rows that are shown: the first ones in the order
 * @param thingOf returns the thing that a row is linked to, such as "blob:12"
 */
export function sortedTable(
  label: string,
  rows: number,
  columns: readonly Column[],
  { limit = rows, thingOf }: { limit?: number; thingOf?: (row: number) => string } = {},
): SortedTable {
  const order = Uint32Array.from({ length: rows }, (_, i) => i);
  const isNumber = columns.map(({ value }) => rows > 0 && typeof value(0) === "number");
  const body = html`<tbody></tbody>`;
  const rowOf = (row: number) => {
    const cells = columns.map(({ value, show }) => show?.(row) ?? String(value(row)));
    const node = html`<tr>${cells.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}` : html`<td class=${isNumber[i] && "number"}>${cell}`))}</tr>`;
    return thingOf ? linkThings(node, thingOf(row)) : node;
  };
  let found: number | undefined;
  const show = () => {
    const first = [...new Set([...(found === undefined ? [] : [found]), ...order.subarray(0, limit)])];
    body.replaceChildren(...first.slice(0, limit).map(rowOf));
  };
  const heads = columns.map(({ head, help = false, value }, i) => {
    const onclick = () => {
      const isDescending = node.ariaSort ? node.ariaSort === "ascending" : isNumber[i];
      const sign = isDescending ? -1 : 1;
      const keys = Array.from({ length: rows }, (_, row) => value(row));
      const keyOf = (row: number) => (Number.isNaN(keys[row]) ? sign * Number.POSITIVE_INFINITY : keys[row]);
      order.sort((a, b) => sign * compare(keyOf(a), keyOf(b)));
      for (const other of heads) other.ariaSort = null;
      node.ariaSort = isDescending ? "descending" : "ascending";
      show();
    };
    const node = html`<th scope="col" class=${isNumber[i] && "number"}><button type="button" title=${help} onclick=${onclick}>${head}</button></th>`;
    return node;
  });
  show();
  const node = html`<div class="table-scroll" tabindex="0" role="region" aria-label=${`${label}, scrolls sideways`}>
    <table aria-label=${label}><thead><tr>${heads}</tr></thead>${body}</table>
  </div>`;
  return Object.assign(node, {
    find(row: number) {
      found = row;
      show();
    },
  });
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
