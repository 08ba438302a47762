import type { Table } from "apache-arrow";
import type { TrainConfig } from "../../engine/config.js";
import { gradientsFile, parametersFile } from "../../engine/files/arrow.js";
import type { Size } from "../../engine/image/image.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import { activeRows } from "../tables/activeRows.js";
import { arrowTable } from "../tables/arrowTable.js";

/** The exact values of one step. The loss and the gradients are at the parameters before it. */
export interface Step extends Omit<Snapshot, "gradients"> {
  /** The columns of parameters.arrow after the step: one row per blob. */
  readonly parameters: Table;
  /** The columns of gradients.arrow of the step: one row per blob. */
  readonly gradients: Table;
}

/**
 * Returns the values of a step. Its tables are made when they are read.
 * @param parameters raw, after the step
 * @param gradients that the step used
 */
export function stepValues(
  config: TrainConfig,
  image: Size,
  snapshot: Snapshot,
  parameters: Float32Array,
  gradients: Float32Array,
): Step {
  const { step } = snapshot;
  const tables: { parameters?: Table; gradients?: Table } = {};
  return {
    ...snapshot,
    get parameters() {
      tables.parameters ??= activeRows(arrowTable(parametersFile(config, image, { step, parameters })), parameters);
      return tables.parameters;
    },
    get gradients() {
      tables.gradients ??= activeRows(arrowTable(gradientsFile(config, [{ step, gradients }])), parameters);
      return tables.gradients;
    },
  };
}
