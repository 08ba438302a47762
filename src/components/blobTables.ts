import { modelOf } from "../engine/cpu/blob.js";
import { decodedColumns, rawColumns } from "./blobColumns.js";
import { blobTable } from "./blobTable.js";
import type { Lab } from "./lab.js";

/** Every blob's parameters, raw or decoded. */
export function parameterTable(lab: Lab): HTMLElement {
  return blobTable(lab, "Parameters", [
    { name: "raw", columns: ({ state }) => rawColumns(state.parameters) },
    {
      name: "decoded",
      columns: ({ state }) => decodedColumns(state.parameters, modelOf(lab.run!.config, lab.run!.target.image)),
    },
  ]);
}

/** Every blob's gradients: of the loss, by raw parameter. */
export function gradientTable(lab: Lab): HTMLElement {
  return blobTable(lab, "Gradients", [{ name: "raw", columns: ({ gradients }) => rawColumns(gradients) }]);
}
