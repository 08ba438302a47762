import { element } from "../page/element.js";
import type { TableColumns } from "./blobColumns.js";
import { type RowTable, rowTable } from "./rowTable.js";

/** A way to look at blobs, and what stands beside the title. */
export interface TableVariant {
  name: string;
  columns: TableColumns;
  note: string;
}

/**
 * A table with a row a blob that sorts by any column and pages.
 * @param variants what it can show; with more than one, a switch chooses
 */
export function blobTable(title: string, variants: TableVariant[]): RowTable {
  const choices = variants.map((candidate) => {
    const onchange = () => void table.show(candidate.columns, candidate.note);
    const radio = element("input", {
      type: "radio",
      name: `${title} as`,
      checked: candidate === variants[0],
      onchange,
    });
    return element("label", {}, radio, candidate.name);
  });
  const choice = choices.length > 1 ? [element("fieldset", { class: "switch" }, ...choices)] : [];
  const table = rowTable(title, "blob", ...choice);
  const [{ columns, note }] = variants;
  void table.show(columns, note);
  return table;
}
