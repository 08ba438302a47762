import { html } from "htl";
import type { TableColumns } from "./blobColumns.js";
import { type RowTable, rowTable } from "./rowTable.js";

/** One view of blobs, and the note next to the title. */
interface TableVariant {
  name: string;
  columns: TableColumns;
  note: string;
}

/**
 * Returns a table with one row per blob that sorts by any column and pages.
 * @param variants the views; if there are several, a switch chooses one
 */
export function blobTable(title: string, variants: TableVariant[]): RowTable {
  const choices = variants.map(({ name, columns, note }, i) => {
    const onchange = () => void table.show(columns, note);
    return html`<label><input type="radio" name="${title} as" checked=${i === 0} onchange=${onchange}>${name}</label>`;
  });
  const choice = choices.length > 1 ? [html`<fieldset class="switch">${choices}</fieldset>`] : [];
  const table = rowTable(title, "blob", ...choice);
  const [{ columns, note }] = variants;
  void table.show(columns, note);
  return table;
}
