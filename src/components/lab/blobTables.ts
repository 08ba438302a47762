import { modelOf } from "../../engine/cpu/blob.js";
import { decodedColumns, rawColumns, type TableColumns } from "../blobColumns.js";
import { blobTable } from "../blobTable.js";
import { count } from "../format.js";
import { paintLive } from "../painter.js";
import type { Lab } from "./lab.js";
import type { LabRun, View } from "./labRun.js";

/** Every blob's parameters, raw or decoded. */
export function parameterTable(lab: Lab): HTMLElement {
  return labTable(lab, "Parameters", {
    raw: ({ state }) => rawColumns(state.parameters),
    decoded: ({ state }, { config, target }) => decodedColumns(state.parameters, modelOf(config, target.image)),
  });
}

/** Every blob's gradients: of the loss, by raw parameter. */
export function gradientTable(lab: Lab): HTMLElement {
  return labTable(lab, "Gradients", { raw: ({ gradients }) => rawColumns(gradients) });
}

/** A table that follows the lab's run. */
function labTable(lab: Lab, title: string, variants: Record<string, (view: View, run: LabRun) => TableColumns>) {
  const read = (columns: (view: View, run: LabRun) => TableColumns) => () => {
    const { run } = lab;
    if (!run?.view) return undefined;
    return { columns: columns(run.view, run), note: `at step ${count(run.view.state.step)}` };
  };
  const named = Object.entries(variants).map(([name, columns]) => ({ name, read: read(columns) }));
  return blobTable(title, named, (table, show) => paintLive(table, lab, show));
}
