import { changedFields, type TrainConfig } from "../../engine/config.js";
import { type FieldName, fieldOf, formatField } from "../../engine/fields.js";
import type { MetricsRow } from "../../engine/files/arrow.js";
import { thinRows } from "../runs/curve.js";
import type { Run } from "./run.js";

/** A recorded step of an earlier run. */
export interface EarlierRow extends MetricsRow {
  /** The settings that differ from those of the current run: "learning rate 0.01". */
  run: string;
  /** 1 for the previous run, 2 for the one before it, and so on. */
  before: number;
}

/** Earlier runs in the charts. */
const maxEarlier = 3;
/** Rows per earlier run. */
const maxRows = 300;

/** The runs of a page, in the order in which they started. */
export class RunHistory {
  #runs: { config: TrainConfig; measured: readonly MetricsRow[] }[] = [];
  #present: Run | undefined;

  /** Returns the metrics of the three runs before this one. */
  before(run: Run): EarlierRow[] {
    if (this.#present && this.#present !== run && this.#present.measured.length > 1) {
      this.#runs.push({ config: this.#present.config, measured: thinRows(this.#present.measured, maxRows) });
      this.#runs = this.#runs.slice(-maxEarlier);
    }
    this.#present = run;
    return this.#runs.toReversed().flatMap(({ config, measured }, index) => {
      const difference = differenceOf(config, run.config);
      return measured.map((row) => ({ ...row, run: difference, before: index + 1 }));
    });
  }

  /** Removes all earlier runs. */
  clear(): void {
    this.#runs = [];
  }
}

/** Returns the name of an earlier run in the legend: at most two of the settings that differ, the preset first. */
function differenceOf(earlier: TrainConfig, config: TrainConfig): string {
  const texts = Object.entries(changedFields(earlier, config)).map(
    ([name, value]) =>
      `${fieldOf(name as FieldName).label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())} ${formatField(value)}`,
  );
  if (texts.length === 0) return "the same settings";
  return `${texts.slice(0, 2).join(", ")}${texts.length > 2 ? " …" : ""}`;
}
