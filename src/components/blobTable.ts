import { parameterNames } from "../engine/blobs.js";
import type { TableColumns } from "./blobColumns.js";
import { element } from "./element.js";
import { count } from "./format.js";
import type { Lab } from "./lab.js";
import type { View } from "./labRun.js";
import { paintLive } from "./painter.js";
import { RowTable } from "./rowTable.js";

/** A way to look at a view's blobs. */
export interface TableVariant {
  name: string;
  columns(view: View, lab: Lab): TableColumns;
}

/**
 * A table with a row a blob that follows the run, sorts by any column and pages.
 * @param title says of what, before "at step n"
 * @param variants what it can show; with more than one, a switch chooses
 */
export function blobTable(lab: Lab, title: string, variants: TableVariant[]): HTMLElement {
  let [variant] = variants;
  let isShowing = false;
  let isStale = false;
  const choice = element(
    "fieldset",
    { class: "switch" },
    ...variants.map((candidate, i) => {
      const onchange = () => {
        variant = candidate;
        refresh();
      };
      const radio = element("input", { type: "radio", name: `${title} as`, checked: i === 0, onchange });
      return element("label", {}, radio, candidate.name);
    }),
  );
  const table = new RowTable(title, "blob", parameterNames, () => refresh(), ...(variants.length > 1 ? [choice] : []));
  const refresh = paintLive(table.node, lab, () => {
    const view = lab.run?.view;
    if (!view) return;
    // An order under way is shown first, or a fast run would never show one.
    isStale = isShowing;
    if (isShowing) return;
    isShowing = true;
    void table.show(variant.columns(view, lab), `at step ${count(view.state.step)}`).finally(() => {
      isShowing = false;
      if (isStale) refresh();
    });
  });
  return table.node;
}
