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
export function blobTable(
  title: string,
  variants: TableVariant[],
): RowTable & {
  /** Replaces the views, of the same names. */
  update(variants: TableVariant[]): void;
} {
  let shown = 0;
  const showVariant = () => {
    const { columns, note } = variants[shown];
    void table.show(columns, note);
  };
  const choices = variants.map(({ name }, i) => {
    const onchange = () => {
      shown = i;
      showVariant();
    };
    return html`<label><input type="radio" name="${title} as" checked=${i === 0} onchange=${onchange}>${name}</label>`;
  });
  const choice = choices.length > 1 ? [html`<fieldset class="switch">${choices}</fieldset>`] : [];
  const table = rowTable(title, "blob", ...choice);
  showVariant();
  return Object.assign(table, {
    update(next: TableVariant[]) {
      variants = next;
      showVariant();
    },
  });
}
