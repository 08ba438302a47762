import { element } from "../page/element.js";
import { count, showNumber } from "../page/format.js";
import type { TableColumns } from "./blobColumns.js";

const pageRows = 10;

/**
 * A table of numbers that sorts by any column and pages, however many rows it has: it looks at those of its page alone,
 * and sorts in a worker.
 */
export class RowTable {
  readonly node: HTMLElement;
  readonly #changed: () => void;
  readonly #note = element("span", { class: "figure-note" });
  readonly #headers: HTMLElement[];
  readonly #body = element("tbody");
  readonly #place = element("span", { class: "page-place" });
  readonly #buttons: Record<"first" | "previous" | "next" | "last", HTMLButtonElement>;
  #sortedBy = -1;
  #isDescending = false;
  #page = 0;
  #rows = 0;
  #shows = 0;

  /**
   * @param title of what
   * @param rowName heads the rows' numbers
   * @param names of the columns
   * @param changed called when the reader asks for another page or order: `show` is to be called again
   * @param more stands beside the title
   */
  constructor(title: string, rowName: string, names: readonly string[], changed: () => void, ...more: Node[]) {
    this.#changed = changed;
    this.#headers = [rowName, ...names].map((name, i) => {
      const onclick = () => this.#sortBy(i - 1);
      return element("th", { scope: "col" }, element("button", { type: "button", onclick }, name));
    });
    const table = element(
      "table",
      { class: "blob-table", "aria-label": title },
      element("thead", {}, element("tr", {}, ...this.#headers)),
      this.#body,
    );
    const button = (sign: string, label: string, page: () => number) => {
      const onclick = () => {
        this.#page = page();
        this.#changed();
      };
      return element("button", { type: "button", "aria-label": label, onclick }, sign);
    };
    this.#buttons = {
      first: button("«", "First page", () => 0),
      previous: button("‹", "Previous page", () => this.#page - 1),
      next: button("›", "Next page", () => this.#page + 1),
      last: button("»", "Last page", () => this.#pages - 1),
    };
    const { first, previous, next, last } = this.#buttons;
    this.node = element(
      "figure",
      { class: "table-figure" },
      element("figcaption", {}, element("strong", {}, title), this.#note, ...more),
      element(
        "div",
        { class: "table-scroll", tabindex: 0, role: "region", "aria-label": `${title}, scrolls sideways` },
        table,
      ),
      element("div", { class: "pager" }, first, previous, this.#place, next, last),
    );
  }

  /**
   * Shows the page that the reader has chosen, once it is sorted; what is asked for meanwhile comes in its place.
   * @param note beside the title
   */
  async show(columns: TableColumns, note: string): Promise<void> {
    const shown = ++this.#shows;
    const [sortedBy, isDescending] = [this.#sortedBy, this.#isDescending];
    const order = sortedBy < 0 ? undefined : await columns.order(sortedBy, isDescending);
    if (shown !== this.#shows) return;
    this.#rows = columns.rows;
    this.#page = Math.min(Math.max(this.#page, 0), this.#pages - 1);
    const start = this.#page * pageRows;
    const rows = Array.from({ length: Math.min(pageRows, columns.rows - start) }, (_, i) => {
      if (order) return order[start + i];
      return isDescending ? columns.rows - 1 - start - i : start + i;
    });
    this.#body.replaceChildren(...rows.map((row) => tableRow(columns, row)));
    this.#note.textContent = note;
    for (const [i, header] of this.#headers.entries()) {
      header.ariaSort = i - 1 === sortedBy ? (isDescending ? "descending" : "ascending") : "none";
    }
    this.#place.textContent = `${count(start + Math.min(1, rows.length))}–${count(start + rows.length)} of ${count(columns.rows)}`;
    const { first, previous, next, last } = this.#buttons;
    first.disabled = previous.disabled = this.#page === 0;
    next.disabled = last.disabled = this.#page === this.#pages - 1;
  }

  get #pages(): number {
    return Math.max(1, Math.ceil(this.#rows / pageRows));
  }

  #sortBy(column: number): void {
    // The first click on a column of numbers brings the largest to the top.
    this.#isDescending = this.#sortedBy === column ? !this.#isDescending : column >= 0;
    this.#sortedBy = column;
    this.#page = 0;
    this.#changed();
  }
}

function tableRow(columns: TableColumns, row: number): HTMLElement {
  const numbers = columns.names.map((_, column) => element("td", {}, showNumber(columns.value(column, row))));
  return element("tr", {}, element("th", { scope: "row" }, String(columns.blob?.(row) ?? row)), ...numbers);
}
