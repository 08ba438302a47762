import {
  type ChoiceField,
  type Field,
  type FieldName,
  fieldNames,
  fieldOf,
  fields,
  type NumberField,
  type PowerField,
  type SizeField,
} from "./fields.js";
import { parameterCount } from "./model/blobs.js";
import { nearestName } from "./nearestName.js";
import { inRange, limitText, mustBe } from "./quoted.js";

/** The values of a field, by its kind. */
type ValueOf<F> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { kind: "size" }
    ? [width: number, height: number]
    : F extends { kind: "power" }
      ? number | "auto"
      : number;

/** The configuration of a training run. Every field has a value: `completeConfig` fills in the defaults. */
export type TrainConfig = { -readonly [F in FieldName]: ValueOf<(typeof fields)[F]> };

type Preset = TrainConfig["preset"];
export type PipelineName = TrainConfig["pipeline"];
export type Blend = TrainConfig["blend"];
export type Background = TrainConfig["background"];
export type BiasCorrection = TrainConfig["biasCorrection"];

/** The values of the presets; a covarianceScale that is absent follows the number of blobs. */
export const presets = {
  baseline: presetValues((field) => field.default),
  quality: presetValues((field) => field.quality ?? field.default),
};

function presetValues(fieldValue: (field: Field) => unknown): Omit<TrainConfig, "preset" | "covarianceScale"> {
  const { preset: _, covarianceScale: _c, ...values } = fields;
  return Object.fromEntries(Object.entries(values).map(([name, field]) => [name, fieldValue(field)])) as never;
}

/** A field of the config has a value that is not allowed. The message is one sentence for the user. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(
    readonly field: string,
    readonly value: unknown,
    readonly allowed: string,
    readonly suggestion?: string,
  ) {
    super(mustBe(field, allowed, value, suggestion));
  }
}

function checkNumber(name: string, value: unknown, { kind, least, above, most }: NumberField): unknown {
  const isAllowed =
    typeof value === "number" &&
    (kind === "number" || Number.isInteger(value)) &&
    (above === undefined ? value >= least! : value > above) &&
    value <= (most ?? Number.POSITIVE_INFINITY);
  if (isAllowed) return value;
  const range = above === undefined ? inRange(least!, most) : `above ${above} and at most ${most}`;
  throw new ConfigError(name, value, `a ${kind === "integer" ? "whole " : ""}number ${range}`);
}

function checkPower(name: string, value: unknown, { least, most }: PowerField): unknown {
  const isPower = typeof value === "number" && value >= least && value <= most && Number.isInteger(Math.log2(value));
  if (value === "auto" || isPower) return value;
  throw new ConfigError(name, value, `auto, or a power of two ${inRange(least, most)}`);
}

function checkChoice(name: string, value: unknown, { choices }: ChoiceField): unknown {
  if (choices.includes(value as string)) return value;
  throw new ConfigError(name, value, `one of ${choices.join(", ")}`, suggestionFor(value, choices));
}

/** Returns the name that was probably meant, or undefined. */
export function suggestionFor(value: unknown, names: readonly string[]): string | undefined {
  return typeof value === "string" ? nearestName(value, names) : undefined;
}

function checkSize(name: string, value: unknown, { most }: SizeField): unknown {
  const sides = typeof value === "string" ? /^(\d+)\s*[x×]\s*(\d+)$/.exec(value)?.slice(1).map(Number) : value;
  if (!Array.isArray(sides) || sides.length !== 2 || !sides.every(Number.isInteger)) {
    throw new ConfigError(name, value, "a width and a height in whole pixels, such as 8x4");
  }
  if (sides.every((side) => side >= 1 && side <= most)) return [sides[0], sides[1]];
  throw new ConfigError(name, value, `${inRange(1, most)} pixels wide and high`);
}

function checkValue(name: FieldName, value: unknown): unknown {
  const field = fieldOf(name);
  if (field.kind === "choice") return checkChoice(name, value, field);
  if (field.kind === "power") return checkPower(name, value, field);
  if (field.kind === "size") return checkSize(name, value, field);
  return checkNumber(name, value, field);
}

/**
 * Returns one field's value as a config holds it; combinations with other fields are not checked.
 * @throws ConfigError if there is no such field, or if its value is not allowed
 */
export function checkField(field: string, value: unknown): TrainConfig[keyof TrainConfig] {
  requireField(field);
  return checkValue(field, value) as TrainConfig[FieldName];
}

/** @throws ConfigError if there is no such field */
export function requireField(field: string): asserts field is keyof TrainConfig {
  if (Object.hasOwn(fields, field)) return;
  throw new ConfigError(
    "config",
    field,
    `made of the fields ${fieldNames.join(", ")}`,
    suggestionFor(field, fieldNames),
  );
}

/**
 * Returns a config with every default filled in and every field checked. Fields that are absent or undefined take the
 * preset's value.
 * @throws ConfigError for the first field that is unknown or has a value that is not allowed
 */
export function completeConfig(partialConfig: Partial<Record<keyof TrainConfig, unknown>>): TrainConfig {
  // It may come from a file; a string has a key for each character.
  if (typeof partialConfig !== "object" || partialConfig === null || Array.isArray(partialConfig)) {
    throw new ConfigError("config", partialConfig, "an object");
  }
  for (const field of Object.keys(partialConfig)) requireField(field);
  const preset = checkValue("preset", partialConfig.preset ?? fields.preset.default) as Preset;
  const values: Record<string, unknown> = { preset, ...presets[preset] };
  for (const [field, value] of Object.entries(partialConfig)) if (value !== undefined) values[field] = value;
  checkValue("blobs", values.blobs);
  if (values.covarianceScale === undefined) values.covarianceScale = coveringScale(values.blobs as number);
  const config = Object.fromEntries(fieldNames.map((name) => [name, checkValue(name, values[name])])) as TrainConfig;
  checkCombination(config);
  return config;
}

/** A subtile has 32 pixels, one for each thread. */
const minSegmentLength = 32;

/** Refuses values that are allowed separately but not together. */
function checkCombination(config: TrainConfig): void {
  const { parameterization, blend, background, initializer, startShare, growEvery, gaussiansPerBlock } = config;
  if (config.pipeline === "binned" && Number(gaussiansPerBlock) < minSegmentLength) {
    const allowed = `auto, or a power of two ${inRange(minSegmentLength)} in the binned pipeline`;
    throw new ConfigError("gaussiansPerBlock", gaussiansPerBlock, allowed);
  }
  if (blend === "sum" && background === "original") {
    throw new ConfigError("background", background, "white or black with blend sum, which leaves no transmittance");
  }
  if (parameterization !== "direct") {
    const condition = "unless parameterization is direct";
    if (initializer !== "uniform") throw new ConfigError("initializer", initializer, `uniform ${condition}`);
    if (growEvery > 0) throw new ConfigError("growEvery", growEvery, `0 ${condition}`);
  }
  if (startShare < 1 && growEvery === 0) {
    throw new ConfigError("startShare", startShare, "1 if growEvery is 0, since no blob would be added");
  }
}

/**
 * Returns the covariance scale with which N blobs cover the image, in UV²: the power law through the two values of the
 * original Slang sample, 5e-3 for 200 blobs and 1e-4 for 20,480, and 1e-4 for more.
 */
export function coveringScale(blobs: number): number {
  if (blobs >= 20480) return 1e-4;
  return 1e-4 * (20480 / blobs) ** (Math.log(50) / Math.log(20480 / 200));
}

/** Returns the fields in which two configurations differ, without those that follow from the number of blobs. */
export function changedFields(config: TrainConfig, base?: TrainConfig): Partial<TrainConfig> {
  const changed = Object.entries(config).filter(([field, value]) => {
    // JavaScript engines differ in the last digit of a power.
    if (field === "covarianceScale") return Math.abs((value as number) / coveringScale(config.blobs) - 1) > 1e-9;
    return String(value) !== String(base?.[field as keyof TrainConfig]);
  });
  return Object.fromEntries(changed);
}

/** The preset `baseline` with every default filled in. */
export const defaults: TrainConfig = completeConfig({});

/** The limits of an adapter that bound a config. A device requests them at the adapter's maximum. */
export const requestedLimits = [
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
] as const satisfies (keyof GPUSupportedLimits)[];

export type AdapterLimits = Pick<GPUSupportedLimits, (typeof requestedLimits)[number]>;

/** Returns how many blobs a tile's list holds in one pass of `tiled` and `cpu`. */
export function listCapacity({ gaussiansPerBlock }: Pick<TrainConfig, "gaussiansPerBlock">): number {
  return gaussiansPerBlock === "auto" ? 512 : gaussiansPerBlock;
}

/**
 * Refuses a tile or a list capacity that an adapter's workgroups cannot hold, and names the largest that would fit.
 * @throws ConfigError
 */
export function checkWorkgroup(config: TrainConfig, limits: AdapterLimits): void {
  const [width, height] = config.tile;
  const { maxComputeInvocationsPerWorkgroup: most, maxComputeWorkgroupSizeX, maxComputeWorkgroupSizeY } = limits;
  if (width * height > most || width > maxComputeWorkgroupSizeX || height > maxComputeWorkgroupSizeY) {
    const sides = `${maxComputeWorkgroupSizeX} wide and ${maxComputeWorkgroupSizeY} high`;
    throw new ConfigError("tile", config.tile.join("x"), `at most ${most} pixels, ${sides}, on this adapter`);
  }
  if (config.pipeline !== "tiled") return;
  // The reduction buffer and the counters.
  const usedBytes = 4 * width * height + 64;
  const largestBlock = 2 ** Math.floor(Math.log2((limits.maxComputeWorkgroupStorageSize - usedBytes) / 4));
  const capacity = listCapacity(config);
  if (capacity > largestBlock) {
    const condition = `with tiles of ${width}x${height} on this adapter`;
    throw new ConfigError("gaussiansPerBlock", capacity, `at most ${limitText(largestBlock)} ${condition}`);
  }
}

/** Returns the bytes of the longest buffer that an adapter can bind as a whole. */
export function maxBufferBytes({ maxStorageBufferBindingSize, maxBufferSize }: AdapterLimits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize);
}

/**
 * Refuses more blobs or pixels than an adapter's buffers hold, and names the number that would fit.
 * @param size width and height of the target, or of the render, in pixels
 * @param isTraining false if the job only draws
 * @throws ConfigError
 */
export function checkBuffers(
  config: TrainConfig,
  size: { width: number; height: number },
  limits: AdapterLimits,
  isTraining = true,
): void {
  const bytes = maxBufferBytes(limits);
  // Parameters, gradients and both of Adam's moments are separate buffers of equal length.
  const maxBlobs = Math.floor(bytes / (4 * parameterCount));
  if (config.blobs > maxBlobs)
    throw new ConfigError("blobs", config.blobs, `at most ${limitText(maxBlobs)} on this adapter`);
  // A render is drawn in bands; only the target needs one buffer.
  if (config.pipeline === "binned" && !isTraining) return;
  const maxPixels = Math.floor(bytes / (config.pipeline === "binned" ? 4 : 16));
  if (size.width * size.height > maxPixels) {
    const side = Math.floor(Math.sqrt(maxPixels));
    const allowed = `at most ${limitText(maxPixels)} pixels on this adapter, such as ${side}x${side}`;
    throw new ConfigError("image", `${size.width}x${size.height}`, allowed);
  }
}
