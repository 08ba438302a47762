import type { TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";
import { thinRows } from "../runs/curve.js";
import { changedFields } from "./link.js";
import type { Run } from "./run.js";

/** A measured step of a run that came before. */
export interface EarlierRow extends MetricsRow {
  /** In what that run differs from the present one: "before: learningRate 0.01". */
  run: string;
  /** 1 for the run right before, and so on. */
  before: number;
}

/** Earlier runs that stay on the charts. */
const maxEarlier = 3;
/** Rows of each. */
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

/** In what an earlier run differed. */
function differenceOf(earlier: TrainConfig, config: TrainConfig): string {
  const texts = Object.entries(changedFields(earlier, config)).map(
    ([field, value]) => `${field} ${Array.isArray(value) ? value.join("×") : value}`,
  );
  return `before: ${texts.length > 0 ? texts.join(", ") : "the same settings"}`;
}
