import { ConfigError, checkField, completeConfig, type TrainConfig } from "../config.js";
import { limitText } from "../quoted.js";
import { checkValues, parseValues, type SweptValue } from "./sweptValues.js";

/** Some fields of a config; absent ones take the preset's value. */
export type PartialConfig = Partial<Record<keyof TrainConfig, unknown>>;

/** A field that changes from run to run, and its values in order. */
export interface SweptField {
  field: keyof TrainConfig;
  values: SweptValue[];
}

/** Runs that differ in one field or two: a run for each combination of their values. */
export interface Sweep {
  /** The fields that all runs share. */
  config: PartialConfig;
  /** One field, or two: the rows of the sweep first, its columns second. */
  vary: SweptField[];
}

/** A run of a sweep, with its config or the reason why there is none. */
export type PlannedRun = {
  /** The values of the swept fields. */
  values: SweptValue[];
  /** Name that is unique in the sweep and valid as a file name, such as "learningRate=0.01,tile=8x4". */
  name: string;
} & ({ config: TrainConfig; refusal?: undefined } | { config?: undefined; refusal: string });

/**
 * Outcome of a run: done, stopped early, failed, or refused because its config is invalid. Missing numbers are NaN.
 */
export interface SweptResult {
  status: "done" | "stopped" | "failed" | "refused";
  /** Why the run failed or was refused, otherwise empty. */
  sentence: string;
  /** Loss of the final render. */
  loss: number;
  /** PSNR of the final render in decibels. */
  psnr: number;
  /** Training time. */
  seconds: number;
  stepsPerSecond: number;
  /** Steps done. */
  step: number;
}

/** Most runs of a sweep. */
export const maxRuns = 1024;

/**
 * Returns a sweep with each value checked separately; combinations are checked run by run.
 * @param vary values by field: a list, or a text as `parseValues` reads it
 * @throws ConfigError
 */
export function sweepOf(config: PartialConfig, vary: Record<string, unknown>): Sweep {
  for (const [field, value] of Object.entries(config)) if (value !== undefined) checkField(field, value);
  const swept = Object.entries(vary).map(([name, values]): SweptField => {
    const field = name as keyof TrainConfig;
    if (config[field] !== undefined) throw new ConfigError("vary", field, "a field that has no value already");
    if (typeof values === "string") return { field, values: parseValues(field, values) };
    if (Array.isArray(values)) return { field, values: checkValues(field, values) };
    throw new ConfigError(field, values, "a list of values");
  });
  if (swept.length !== 1 && swept.length !== 2) {
    throw new ConfigError("vary", swept.map(({ field }) => field).join(", "), "one field or two, with their values");
  }
  const runs = swept.reduce((product, { values }) => product * values.length, 1);
  if (runs > maxRuns) throw new ConfigError("vary", runs, `at most ${limitText(maxRuns)} runs`);
  return { config, vary: swept };
}

/** Where the runs take place. */
interface SweepContext {
  /** The number of blobs for runs of the quality preset that have none. */
  blobs?: number;
  /** Throws a ConfigError for a config that cannot be trained here. */
  check?: (config: TrainConfig) => void;
}

/** Returns the runs of a sweep in row order: the values of the second field change fastest. */
export function plannedRuns({ config, vary: [rows, columns] }: Sweep, context: SweepContext = {}): PlannedRun[] {
  const run = (values: SweptValue[]): PlannedRun => {
    const assignments = [rows, columns].slice(0, values.length).map(({ field }, i) => [field, values[i]] as const);
    const name = assignments.map(([field, value]) => `${field}=${value}`).join(",");
    try {
      return { values, name, config: completeRunConfig({ ...config, ...Object.fromEntries(assignments) }, context) };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { values, name, refusal: error.message };
    }
  };
  return rows.values.flatMap((row) => (columns ? columns.values.map((column) => run([row, column])) : [run([row])]));
}

function completeRunConfig(partialConfig: PartialConfig, { blobs, check }: SweepContext): TrainConfig {
  const chosenBlobs =
    partialConfig.preset === "quality" && partialConfig.blobs === undefined && blobs !== undefined ? { blobs } : {};
  const config = completeConfig({ ...partialConfig, ...chosenBlobs });
  check?.(config);
  return config;
}

/** Returns the result of a run that trained nothing. */
export function withoutResult(status: "failed" | "refused", sentence: string): SweptResult {
  const nan = Number.NaN;
  return { status, sentence, loss: nan, psnr: nan, seconds: nan, stepsPerSecond: nan, step: 0 };
}
