import { html } from "htl";

/** A column of a table. */
export interface Column<Row> {
  head: string;
  sortKey(row: Row): number | string;
  text(row: Row): string | Node;
  /** Numbers are right-aligned, and sorted with the largest first. */
  isNumber?: boolean;
}

/** Returns a column of text. */
export function textColumn<Row>(head: string, text: (row: Row) => string): Column<Row> {
  return { head, sortKey: text, text };
}

/** Returns a column of numbers. NaN, which is shown as a dash, comes last. */
export function numberColumn<Row>(
  head: string,
  sortKey: (row: Row) => number,
  text: (value: number) => string,
): Column<Row> {
  const shown = (value: number) => (Number.isNaN(value) ? "–" : text(value));
  return { head, sortKey, text: (row) => shown(sortKey(row)), isNumber: true };
}

/** A table of rows, each with a link and an image. */
export type SortedTable<Row> = HTMLElement & {
  /** Replaces the rows and the columns; unchanged rows are the same objects. The chosen column keeps sorting them. */
  show(rows: readonly Row[], columns: readonly Column<Row>[]): void;
};

/**
 * Returns a table that sorts by a click on the head of a column.
 * @param sorted the head of the column by which it is sorted at first, in descending order
 * @param start returns the link and the image at the start of a row
 */
export function sortedTable<Row extends object>(
  label: string,
  sorted: string,
  start: (row: Row) => [Node, Node],
): SortedTable<Row> {
  let sortedBy = sorted;
  let isDescending = true;
  let shown: [readonly Row[], readonly Column<Row>[]] = [[], []];
  let drawn = new WeakMap<Row, HTMLElement>();
  const headRow = html`<tr></tr>`;
  const body = html`<tbody></tbody>`;
  const node = html`<div class="table-scroll wide" tabindex="0" role="region" aria-label=${`${label}, scrolls sideways`}>
    <table class="run-index" aria-label=${label}><thead>${headRow}</thead>${body}</table>
  </div>`;
  const headOf = ({ head, isNumber }: Column<Row>) => {
    const onclick = () => {
      isDescending = sortedBy === head ? !isDescending : isNumber === true;
      sortedBy = head;
      show(...shown);
    };
    return html`<th scope="col" class=${isNumber && "number"} data-head=${head}><button type="button" onclick=${onclick}>${head}</button></th>`;
  };
  const rowOf = (row: Row, columns: readonly Column<Row>[]) => {
    const before = drawn.get(row);
    if (before) return before;
    const [link, image] = start(row);
    const node = html`<tr>
      <th scope="row">${link}</th>
      <td>${image}</td>
      ${columns.map((column) => html`<td class=${column.isNumber && "number"}>${column.text(row)}</td>`)}
    </tr>`;
    drawn.set(row, node);
    return node;
  };
  const show: SortedTable<Row>["show"] = (rows, columns) => {
    const focused = focusIn(body);
    const isNew = columns.map(({ head }) => head).join() !== shown[1].map(({ head }) => head).join();
    shown = [rows, columns];
    if (isNew) {
      drawn = new WeakMap();
      headRow.replaceChildren(html`<th scope="col">run</th>`, html`<td></td>`, ...columns.map(headOf));
    }
    for (const head of headRow.querySelectorAll<HTMLElement>("[data-head]")) {
      const isSorted = head.dataset.head === sortedBy;
      head.ariaSort = isSorted ? (isDescending ? "descending" : "ascending") : "none";
    }
    const column = columns.find(({ head }) => head === sortedBy);
    const sign = isDescending ? -1 : 1;
    const sortedRows = column ? rows.toSorted((a, b) => compare(column.sortKey(a), column.sortKey(b), sign)) : rows;
    body.replaceChildren(...sortedRows.map((row) => rowOf(row, columns)));
    focused?.();
  };
  return Object.assign(node, { show });
}

/** Returns a function that returns the focus to the same link after rows were replaced, if it is in one. */
function focusIn(body: HTMLElement): (() => void) | undefined {
  const { activeElement } = document;
  const href = body.contains(activeElement) && activeElement?.getAttribute("href");
  if (!href) return undefined;
  return () => body.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}

function compare(a: number | string, b: number | string, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -sign : a > b ? sign : 0;
}
