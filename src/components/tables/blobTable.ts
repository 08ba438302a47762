import { parameterNames } from "../../engine/blobs.js";
import { element } from "../page/element.js";
import type { TableColumns } from "./blobColumns.js";
import { RowTable } from "./rowTable.js";

/** A way to look at blobs. */
export interface TableVariant {
  name: string;
  /** What there is now, if there is anything yet. */
  read(): { columns: TableColumns; note: string } | undefined;
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
  let isShowing = false;
  let isStale = false;
  const choice = element(
    "fieldset",
    { class: "switch" },
    ...variants.map((candidate, i) => {
      const choose = () => {
        variant = candidate;
        refresh();
      };
      const radio = element("input", { type: "radio", name: `${title} as`, checked: i === 0, onchange: choose });
      return element("label", {}, radio, candidate.name);
    }),
  );
  const table = new RowTable(title, "blob", parameterNames, () => refresh(), ...(variants.length > 1 ? [choice] : []));
  const show = () => {
    const shown = variant.read();
    if (!shown) return;
    // An order under way is shown first, or a fast run would never show one.
    isStale = isShowing;
    if (isShowing) return;
    isShowing = true;
    void table.show(shown.columns, shown.note).finally(() => {
      isShowing = false;
      if (isStale) refresh();
    });
  };
  const refresh = follow(table.node, show);
  return table.node;
}
