import { ConfigError, checkField, completeConfig, requireField, type TrainConfig } from "../config.js";
import { limitText } from "../quoted.js";
import { checkValues, parseValues, type SweptValue } from "./sweptValues.js";

/** Some fields of a config; absent ones take the preset's value. */
type PartialConfig = Partial<Record<keyof TrainConfig, unknown>>;

/** A field that changes from run to run, and its values in order. */
export interface SweptField {
  field: keyof TrainConfig;
  values: SweptValue[];
}

/** Runs that differ in some fields: a run for each combination of their values. */
export interface Sweep {
  /** The fields that all runs share. */
  config: PartialConfig;
  /** The rows of the sweep first, its columns second. */
  vary: SweptField[];
  /** The values of each run, in the order of `vary`; those of the last field change fastest. */
  combinations: SweptValue[][];
}

/** A run of a sweep, with its config or the reason why there is none. */
export type PlannedRun = {
  /** The values of the swept fields. */
  values: SweptValue[];
  /** Name that is unique in the sweep, and valid as a file name and in an address, such as "learningRate-0p01_tile-8x4". */
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

/** Most runs of a sweep, and most swept fields. */
export const [maxRuns, maxFields] = [1024, 8];

/**
 * Returns a sweep with each value checked separately; combinations are checked run by run.
 * @param vary values by field: a list, or a text as `parseValues` reads it
 * @throws ConfigError
 */
export function sweepOf(config: PartialConfig, vary: Record<string, unknown>): Sweep {
  for (const [field, value] of Object.entries(config)) if (value !== undefined) checkField(field, value);
  const names = Object.keys(vary);
  if (names.length < 1 || names.length > maxFields) {
    throw new ConfigError("vary", names.join(", "), `one to ${maxFields} fields, with their values`);
  }
  const swept = Object.entries(vary).map(([field, values]): SweptField => {
    requireField(field);
    if (config[field] !== undefined) throw new ConfigError("vary", field, "a field that has no value already");
    if (Array.isArray(values)) return { field, values: checkValues(field, values) };
    if (typeof values !== "string") throw new ConfigError(field, values, "a list of values");
    return { field, values: parseValues(field, values) };
  });
  const runs = swept.reduce((product, { values }) => product * values.length, 1);
  if (runs > maxRuns) throw new ConfigError("vary", runs, `at most ${limitText(maxRuns)} runs`);
  const extend = (rows: SweptValue[][], { values }: SweptField) =>
    rows.flatMap((row) => values.map((value) => [...row, value]));
  return { config, vary: swept, combinations: swept.reduce(extend, [[]]) };
}

/** What determines a sweep, besides its image. */
export interface SweepSettings {
  config: PartialConfig;
  /** Values by field, as `sweepOf` takes them. */
  vary: Record<string, unknown>;
}

/** Returns the settings of a sweep. */
export function describeSweep({ config, vary }: Sweep): SweepSettings {
  return { config, vary: Object.fromEntries(vary.map(({ field, values }) => [field, values])) };
}

/** Where the runs take place. */
interface SweepContext {
  /** The number of blobs for runs of the quality preset that have none. */
  blobs?: number;
  /** Throws a ConfigError for a config that cannot be trained here. */
  check?: (config: TrainConfig) => void;
}

/** Returns the runs of a sweep, in the order of its combinations. */
export function plannedRuns({ config, vary, combinations }: Sweep, context: SweepContext = {}): PlannedRun[] {
  return combinations.map((values): PlannedRun => {
    const assignments = vary.map(({ field }, i) => [field, values[i]] as const);
    const name = runName(assignments);
    try {
      return { values, name, config: completeRunConfig({ ...config, ...Object.fromEntries(assignments) }, context) };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { values, name, refusal: error.message };
    }
  });
}

/** Returns the indices of the runs that have no result and can be trained. */
export function missingRuns(plan: readonly PlannedRun[], rows: readonly (SweptResult | undefined)[]): number[] {
  const isMissing = (status?: SweptResult["status"]) => status === undefined || status === "stopped";
  return plan.flatMap(({ config }, i) => (config && isMissing(rows[i]?.status) ? [i] : []));
}

/** Returns the name of a run: letters, digits, - and _, with p for the decimal point. */
export function runName(assignments: readonly (readonly [field: string, value: SweptValue])[]): string {
  return assignments.map(([field, value]) => `${field}-${String(value).replace(".", "p")}`).join("_");
}

/** Returns the values of a run in words: "learningRate 0.01, tile 8x4". */
export function valuesText({ vary }: Pick<Sweep, "vary">, values: readonly SweptValue[]): string {
  return vary.map(({ field }, i) => `${field} ${values[i]}`).join(", ");
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
