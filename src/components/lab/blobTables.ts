import { modelOf } from "../../engine/cpu/blob.js";
import { decodedColumns, rawColumns, type TableColumns } from "../blobColumns.js";
import { blobTable } from "../blobTable.js";
import { count } from "../format.js";
import type { Look, Run } from "../training/run.js";
import type { Lab } from "./lab.js";
import { paintLive } from "./painter.js";

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
function labTable(lab: Lab, title: string, variants: Record<string, (look: Look, run: Run) => TableColumns>) {
  const read = (columns: (look: Look, run: Run) => TableColumns) => () => {
    const { run } = lab;
    if (!run?.look) return undefined;
    return { columns: columns(run.look, run), note: `at step ${count(run.look.state.step)}` };
  };
  const named = Object.entries(variants).map(([name, columns]) => ({ name, read: read(columns) }));
  return blobTable(title, named, (table, show) => paintLive(table, lab, show));
}
