import { html } from "htl";
import { linkThings, pointByKeys } from "../figures/pointing.js";
import { oneTabStop, showTabStop } from "../inputs/oneTabStop.js";
import { count, showNumber } from "../page/format.js";
import type { TableColumns } from "./blobColumns.js";
import { type ColumnHelp, columnList, helpOnHead } from "./columnHelp.js";

const pageRows = 10;

/** One view of the rows, and the note next to the title. */
export interface TableView {
  /** The label of its choice, if there are several views. */
  name?: string;
  columns: TableColumns;
  note: string;
}

/** A paged table. */
type RowTable = HTMLElement & {
  /** Turns to the page with the row of a number, if there is such a row. */
  find(number: number): void;
  /** Replaces the views, of the same names. */
  update(views: readonly TableView[]): void;
};

/**
 * Returns a table of numbers that sorts by any column and pages. It reads only the rows of its page and sorts in a
 * worker, so it works for millions of rows. A row is linked to its thing, such as "blob:12": the up and down keys point
 * at rows, and Enter pins one.
 * @param rowName the head of the column of row numbers
 * @param views if there are several, a switch next to the title chooses one
 */
export function rowTable(title: string, rowName: string, views: readonly TableView[]): RowTable {
  let shown = 0;
  // −1 for the original order.
  let sortedBy = -1;
  let isDescending = false;
  let page = 0;
  let requests = 0;
  let order: Uint32Array | undefined;
  const headOf = (name: string, i: number, help: ColumnHelp | undefined) => {
    const onclick = () => {
      // The first click on a column of numbers sorts the largest first.
      isDescending = sortedBy === i - 1 ? !isDescending : i > 0;
      sortedBy = i - 1;
      page = 0;
      void show();
    };
    const button = html`<button type="button" onclick=${onclick}>${name}</button>`;
    helpOnHead(button, name, help);
    return html<HTMLTableCellElement>`<th scope="col">${button}</th>`;
  };
  let heads: HTMLElement[] = [];
  let shownHeads = "";
  let list = columnList([]);
  const headRow = html`<tr></tr>`;
  const body = html<HTMLTableSectionElement>`<tbody></tbody>`;
  oneTabStop(headRow);
  const note = html`<span class="figure-note"></span>`;
  const pagePosition = html`<span class="page-position"></span>`;
  const button = (sign: string, label: string, next: () => number) => {
    const onclick = () => {
      page = next();
      void show();
    };
    return html<HTMLButtonElement>`<button type="button" aria-label=${label} onclick=${onclick}>${sign}</button>`;
  };
  const first = button("«", "First page", () => 0);
  const previous = button("‹", "Previous page", () => page - 1);
  const next = button("›", "Next page", () => page + 1);
  const last = button("»", "Last page", () => pagesOf(views[shown].columns) - 1);
  const show = async () => {
    const { columns, note: noteText } = views[shown];
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
      headRow.replaceChildren(...heads);
      showTabStop(headRow);
    }
    const pages = pagesOf(columns);
    page = Math.min(Math.max(page, 0), pages - 1);
    const start = page * pageRows;
    const rows = Array.from({ length: Math.min(pageRows, columns.rows - start) }, (_, i) => {
      if (order) return order[start + i];
      return isDescending ? columns.rows - 1 - start - i : start + i;
    });
    body.replaceChildren(...rows.map((row) => tableRow(columns, row, rowName)));
    note.textContent = noteText;
    for (const [i, head] of heads.entries()) {
      head.ariaSort = i - 1 === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    pagePosition.textContent = `${count(start + Math.min(1, rows.length))}–${count(start + rows.length)} of ${count(columns.rows)}`;
    first.disabled = previous.disabled = page === 0;
    next.disabled = last.disabled = page === pages - 1;
  };
  const find = (number: number) => {
    const { columns } = views[shown];
    const row = Array.from({ length: columns.blob ? columns.rows : 0 }, (_, i) => columns.blob!(i)).indexOf(number);
    const rowIndex = columns.blob ? row : number < columns.rows ? number : -1;
    if (rowIndex < 0) return;
    const position = order ? order.indexOf(rowIndex) : isDescending ? columns.rows - 1 - rowIndex : rowIndex;
    const nextPage = Math.floor(position / pageRows);
    if (nextPage === page) return;
    page = nextPage;
    void show();
  };
  const choices = views.map(({ name }, i) => {
    const onchange = () => {
      shown = i;
      void show();
    };
    return html`<label><input type="radio" name="${title} as" checked=${i === 0} onchange=${onchange}>${name}</label>`;
  });
  const choice = choices.length > 1 ? html`<fieldset class="switch">${choices}</fieldset>` : null;
  const onkeydown = (event: KeyboardEvent) => pointByKeys(event, [...body.rows]);
  const label = `${title}, scrolls sideways; up and down point at a row, Enter pins it`;
  const node = html`<figure class="table-figure">
    <figcaption><strong>${title}</strong>${note}${choice}</figcaption>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${label} onkeydown=${onkeydown}>
      <table class="blob-table" aria-label=${title}><thead>${headRow}</thead>${body}</table>
    </div>
    <div class="pager">${[first, previous, pagePosition, next, last]}</div>
    ${list}
  </figure>`;
  void show();
  return Object.assign(node, {
    find,
    update(next: readonly TableView[]) {
      views = next;
      void show();
    },
  });
}

function pagesOf({ rows }: TableColumns): number {
  return Math.max(1, Math.ceil(rows / pageRows));
}

function tableRow(columns: TableColumns, row: number, name: string): HTMLElement {
  const number = columns.blob?.(row) ?? row;
  const cells = columns.names.map((_, column) => html`<td>${showNumber(columns.value(column, row))}</td>`);
  return linkThings(html`<tr><th scope="row">${number}</th>${cells}</tr>`, `${name}:${number}`);
}
