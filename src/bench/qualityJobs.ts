import type { QualityExperiment } from "../engine/bench/results.js";
import { ConfigError, completeConfig, presets, type TrainConfig } from "../engine/config.js";

/** A row of the table: a configuration to train on each image. */
export interface QualityJob {
  part: QualityExperiment;
  /** The ingredient that the row adds to the row before, or what it changes in the quality preset. */
  row: string;
  config: TrainConfig;
  /** Seconds of training, instead of the configuration's steps. */
  seconds?: number;
}

type ConfigFields = Partial<TrainConfig>;

const { quality } = presets;
const rates = ["learningRate", "centerRate", "varianceRate", "correlationRate", "colorRate", "opacityRate"] as const;

/** The fields of each ingredient of the quality preset. Recorded results contain the names. */
const ingredients: [row: string, fields: readonly (keyof typeof quality)[]][] = [
  ["baseline", []],
  ["exact bias correction", ["biasCorrection"]],
  ["direct and rates by group", ["parameterization", "background", "blend", ...rates]],
  ["schedule", ["schedule", "finalRate"]],
  ["start by gradient", ["initializer"]],
  ["growth", ["startShare", "growEvery", "growUntil"]],
];

/** The changes that take one ingredient out of the quality preset. Recorded results contain the names. */
const leaveOneOut: [row: string, change: ConfigFields][] = [
  ["sum in place of over", { blend: "sum" }],
  ["uniform start", { initializer: "uniform" }],
  ["no growth", { startShare: 1, growEvery: 0 }],
  ["one rate for all", { centerRate: 1, varianceRate: 1, correlationRate: 1, colorRate: 1, opacityRate: 1 }],
  ["no schedule", { schedule: "constant" }],
  ["constant bias correction", { biasCorrection: "constant" }],
  ["white background", { background: "white" }],
];

const parts: string[] = ["ladder", "without", "sizes", "seconds"] satisfies QualityExperiment[];

/** Restrictions and changes of the jobs. */
interface QualityChoice {
  /** Names of rows or parts. */
  rows?: string[];
  /** Numbers of blobs, for all parts. */
  blobs?: number[];
  steps?: number;
  /** Fields of every configuration, such as the pipeline. */
  common?: ConfigFields;
}

/**
 * Returns the rows of the table, in four parts. `ladder` is the cumulative ablation from the baseline preset to the
 * quality preset, and `without` the leave-one-out ablation, both with one number of blobs and steps. `sizes` is the
 * quality preset with its own number of steps, by number of blobs; `seconds` is the same in limited time.
 * @throws ConfigError
 */
export function qualityJobs({ rows, blobs, steps, common }: QualityChoice = {}): QualityJob[] {
  const jobs: QualityJob[] = [];
  const add = (part: QualityExperiment, row: string, fields: ConfigFields, seconds?: number) =>
    jobs.push({ part, row, config: completeConfig({ ...fields, ...(steps && { steps }), ...common }), seconds });
  for (const n of blobs ?? [9000]) {
    const ablation = { blobs: n, steps: 4000 };
    let given: ConfigFields = {};
    for (const [row, fields] of ingredients) {
      given = { ...given, ...Object.fromEntries(fields.map((field) => [field, quality[field]])) };
      add("ladder", row, { ...given, ...ablation });
    }
    for (const [row, change] of leaveOneOut) add("without", row, { preset: "quality", ...change, ...ablation });
  }
  for (const n of blobs ?? [9000, 70000]) add("seconds", "quality in 2 s", { preset: "quality", blobs: n }, 2);
  for (const n of blobs ?? [2000, 9000, 20000, 50000, 70000]) {
    add("sizes", "quality", { preset: "quality", blobs: n });
    if (blobs || n === 9000) add("sizes", "sum", { preset: "quality", blend: "sum", blobs: n });
  }
  const names = [...new Set([...parts, ...jobs.map(({ row }) => row)])];
  const unknownName = rows?.find((name) => !names.includes(name));
  if (unknownName !== undefined) throw new ConfigError("rows", unknownName, `one or more of ${names.join(", ")}`);
  return jobs.filter(({ part, row }) => !rows || rows.includes(part) || rows.includes(row));
}
