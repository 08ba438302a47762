import { linkThings, pointByKeys } from "../figures/pointing.js";
import { oneTabStop, showTabStop } from "../inputs/oneTabStop.js";
import { element, tableOf } from "../page/element.js";
import { count, showNumber } from "../page/format.js";
import type { TableColumns } from "./blobColumns.js";
import { type ColumnHelp, columnList, helpOnHead } from "./columnHelp.js";

const pageRows = 10;

/** A table that shows other rows by `show`, whose note stands beside its title. */
export type RowTable = HTMLElement & {
  show(columns: TableColumns, note: string): Promise<void>;
  /** Turns to the page with the row of a number, if there is one. */
  find(number: number): void;
};

/**
 * A table of numbers that sorts by any column and pages, however many rows it has: it looks at those of its page alone,
 * and sorts in a worker. What is asked for while it sorts comes in its place. A row stands for what it is about, such as
 * "blob:12", also by keys: up and down point at rows, Enter pins one.
 * @param title of what
 * @param rowName heads the rows' numbers
 * @param extra stands beside the title
 */
export function rowTable(title: string, rowName: string, ...extra: Node[]): RowTable {
  let current: [TableColumns, string];
  // −1 for the order in which the rows stand.
  let sortedBy = -1;
  let isDescending = false;
  let page = 0;
  let requests = 0;
  let order: Uint32Array | undefined;
  const refresh = () => void show(...current);
  const headOf = (name: string, i: number, help: ColumnHelp | undefined) => {
    const onclick = () => {
      // The first click on a column of numbers brings the largest to the top.
      isDescending = sortedBy === i - 1 ? !isDescending : i > 0;
      sortedBy = i - 1;
      page = 0;
      refresh();
    };
    const button = element("button", { type: "button", onclick }, name);
    helpOnHead(button, name, help);
    return element("th", { scope: "col" }, button);
  };
  let heads: HTMLElement[] = [];
  let shownHeads = "";
  let list = columnList([]);
  const table = tableOf([], [], { class: "blob-table", "aria-label": title });
  oneTabStop(table.tHead!);
  const note = element("span", { class: "figure-note" });
  const place = element("span", { class: "page-place" });
  const button = (sign: string, label: string, next: () => number) => {
    const onclick = () => {
      page = next();
      refresh();
    };
    return element("button", { type: "button", "aria-label": label, onclick }, sign);
  };
  const first = button("«", "First page", () => 0);
  const previous = button("‹", "Previous page", () => page - 1);
  const next = button("›", "Next page", () => page + 1);
  const last = button("»", "Last page", () => pagesOf(current[0]) - 1);
  const show: RowTable["show"] = async (columns, noteText) => {
    current = [columns, noteText];
    const request = ++requests;
    const newOrder = sortedBy < 0 ? undefined : await columns.order(sortedBy, isDescending);
    if (request !== requests) return;
    order = newOrder;
    const { names, help = {} } = columns;
    const key = JSON.stringify(names.map((name) => [name, help[name]]));
    if (key !== shownHeads) {
      shownHeads = key;
      heads = [rowName, ...names].map((name, i) => headOf(name, i, i === 0 ? undefined : help[name]));
      const before = list;
      list = columnList(names.map((name) => [name, help[name]]));
      list.open = before.open;
      before.replaceWith(list);
      table.tHead!.rows[0].replaceChildren(...heads);
      showTabStop(table.tHead!);
    }
    const pages = pagesOf(columns);
    page = Math.min(Math.max(page, 0), pages - 1);
    const start = page * pageRows;
    const rows = Array.from({ length: Math.min(pageRows, columns.rows - start) }, (_, i) => {
      if (order) return order[start + i];
      return isDescending ? columns.rows - 1 - start - i : start + i;
    });
    table.tBodies[0].replaceChildren(...rows.map((row) => tableRow(columns, row, rowName)));
    note.textContent = noteText;
    for (const [i, head] of heads.entries()) {
      head.ariaSort = i - 1 === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    place.textContent = `${count(start + Math.min(1, rows.length))}–${count(start + rows.length)} of ${count(columns.rows)}`;
    first.disabled = previous.disabled = page === 0;
    next.disabled = last.disabled = page === pages - 1;
  };
  const find = (number: number) => {
    const [columns] = current;
    const row = Array.from({ length: columns.blob ? columns.rows : 0 }, (_, i) => columns.blob!(i)).indexOf(number);
    const rowIndex = columns.blob ? row : number < columns.rows ? number : -1;
    if (rowIndex < 0) return;
    const place = order ? order.indexOf(rowIndex) : isDescending ? columns.rows - 1 - rowIndex : rowIndex;
    if (Math.floor(place / pageRows) === page) return;
    page = Math.floor(place / pageRows);
    refresh();
  };
  const onkeydown = (event: KeyboardEvent) => pointByKeys(event, Array.from(table.tBodies[0].rows));
  const label = `${title}, scrolls sideways; up and down point at a row, Enter pins it`;
  const scroll = { class: "table-scroll", tabindex: 0, role: "region", "aria-label": label, onkeydown };
  const node = element(
    "figure",
    { class: "table-figure" },
    element("figcaption", {}, element("strong", {}, title), note, ...extra),
    element("div", scroll, table),
    element("div", { class: "pager" }, first, previous, place, next, last),
    list,
  );
  return Object.assign(node, { show, find });
}

function pagesOf({ rows }: TableColumns): number {
  return Math.max(1, Math.ceil(rows / pageRows));
}

function tableRow(columns: TableColumns, row: number, name: string): HTMLElement {
  const numbers = columns.names.map((_, column) => {
    const value = columns.value(column, row);
    return element("td", {}, columns.isWhole?.(column) ? String(value) : showNumber(value));
  });
  const number = columns.blob?.(row) ?? row;
  return linkThings(
    element("tr", {}, element("th", { scope: "row" }, String(number)), ...numbers),
    `${name}:${number}`,
  );
}
