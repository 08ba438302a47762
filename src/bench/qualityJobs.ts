import type { QualityExperiment } from "../engine/bench/qualityResult.js";
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

/** The fields of each ingredient of the quality preset. Recorded files contain the names. */
const ingredients = {
  "exact bias correction": ["biasCorrection"],
  "direct and rates by group": [
    "parameterization",
    "background",
    "blend",
    "learningRate",
    "centerRate",
    "varianceRate",
    "correlationRate",
    "colorRate",
    "opacityRate",
  ],
  schedule: ["schedule", "finalRate"],
  "start by gradient": ["initializer"],
  growth: ["startShare", "growEvery", "growUntil"],
} as const satisfies Record<string, readonly (keyof TrainConfig)[]>;

const otherBlend = presets.quality.blend === "over" ? "sum" : "over";

/** The changes that take one ingredient out of the quality preset. Recorded files contain the names. */
const leaveOneOut: Record<string, ConfigFields> = {
  [otherBlend === "sum" ? "sum in place of over" : "over in place of sum"]: { blend: otherBlend },
  "uniform start": { initializer: "uniform" },
  "no growth": { startShare: 1, growEvery: 0 },
  "one rate for all": { centerRate: 1, varianceRate: 1, correlationRate: 1, colorRate: 1, opacityRate: 1 },
  "no schedule": { schedule: "constant" },
  "constant bias correction": { biasCorrection: "constant" },
  "white background": { background: "white" },
};

const partNames: readonly QualityExperiment[] = ["ladder", "without", "sizes", "seconds"];

/** The number of blobs and of steps of the ablation. */
const ablation = { blobs: 9000, steps: 4000 };
/** Numbers of blobs for the quality preset, and those for its other blend. */
const sizes = [2000, 9000, 20000, 50000, 70000];
const otherSizes = [9000];
/** Numbers of blobs for runs of limited time, and the time. */
const timed = { sizes: [9000, 70000], seconds: 2 };

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
  const job = (part: QualityExperiment, row: string, configFields: ConfigFields): QualityJob => ({
    part,
    row,
    config: completeConfig({ ...configFields, ...(steps !== undefined && { steps }), ...common }),
  });
  const ablationJobs = (n: number): QualityJob[] => {
    const jobs = [job("ladder", "baseline", { ...ablation, blobs: n })];
    let given: ConfigFields = {};
    for (const [row, fields] of Object.entries(ingredients)) {
      given = { ...given, ...Object.fromEntries(fields.map((field) => [field, presets.quality[field]])) };
      jobs.push(job("ladder", row, { ...given, ...ablation, blobs: n }));
    }
    for (const [row, other] of Object.entries(leaveOneOut)) {
      jobs.push(job("without", row, { preset: "quality", ...other, ...ablation, blobs: n }));
    }
    return jobs;
  };
  const sizeJobs = (n: number, other: boolean): QualityJob[] => [
    job("sizes", "quality", { preset: "quality", blobs: n }),
    ...(other ? [job("sizes", otherBlend, { preset: "quality", blend: otherBlend, blobs: n })] : []),
  ];
  const allJobs = [
    ...(blobs ?? [ablation.blobs]).flatMap(ablationJobs),
    ...(blobs ?? timed.sizes).map((n) => ({
      ...job("seconds", `quality in ${timed.seconds} s`, { preset: "quality", blobs: n }),
      seconds: timed.seconds,
    })),
    ...(blobs ?? sizes).flatMap((n) => sizeJobs(n, blobs !== undefined || otherSizes.includes(n))),
  ];
  const unknownRow = rows?.find(
    (name) => !partNames.includes(name as QualityExperiment) && allJobs.every(({ row }) => row !== name),
  );
  if (unknownRow !== undefined) {
    const names = [...partNames, ...new Set(allJobs.map(({ row }) => row))];
    throw new ConfigError("rows", unknownRow, `one or more of ${names.join(", ")}`);
  }
  return rows ? allJobs.filter(({ part, row }) => rows.includes(part) || rows.includes(row)) : allJobs;
}
