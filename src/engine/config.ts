import { closest, distance } from "fastest-levenshtein";
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
import { quoted } from "./quoted.js";

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
  baseline: presetOf((field) => field.default),
  quality: presetOf((field) => field.quality ?? field.default),
};

function presetOf(pick: (field: Field) => unknown): Omit<TrainConfig, "preset" | "covarianceScale"> {
  const { preset: _, covarianceScale: _c, ...values } = fields;
  return Object.fromEntries(Object.entries(values).map(([name, field]) => [name, pick(field)])) as never;
}

/** A field of the config that cannot be used; the message is one sentence for the user. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(
    readonly field: string,
    readonly value: unknown,
    readonly allowed: string,
  ) {
    super(`${field} is ${quoted(value)}, but must be ${allowed}.`);
  }
}

function checkNumber(name: string, value: unknown, { kind, least, above, most }: NumberField): unknown {
  const isAllowed =
    typeof value === "number" &&
    (kind === "number" || Number.isInteger(value)) &&
    (above === undefined ? value >= least! : value > above) &&
    value <= (most ?? Number.POSITIVE_INFINITY);
  if (isAllowed) return value;
  const from = above === undefined ? `from ${least}` : `above ${above}`;
  const to = most === undefined ? "" : `${above === undefined ? " to" : ", at most"} ${most}`;
  throw new ConfigError(name, value, `a ${kind === "integer" ? "whole " : ""}number ${from}${to}`);
}

function checkPower(name: string, value: unknown, { least, most }: PowerField): unknown {
  const isPower = typeof value === "number" && value >= least && value <= most && Number.isInteger(Math.log2(value));
  if (value === "auto" || isPower) return value;
  throw new ConfigError(name, value, `auto, or a power of two from ${least} to ${most}`);
}

function checkChoice(name: string, value: unknown, { choices }: ChoiceField): unknown {
  if (choices.includes(value as string)) return value;
  const near = typeof value === "string" && value ? closest(value, choices) : undefined;
  // A name all of whose letters would have to change is not near.
  const isNear = near && distance(value as string, near) <= Math.min(3, near.length - 1);
  throw new ConfigError(name, value, `one of ${choices.join(", ")}${isNear ? ` (did you mean ${near}?)` : ""}`);
}

function checkSize(name: string, value: unknown, { most }: SizeField): unknown {
  const pair = typeof value === "string" ? /^(\d+)\s*[x×]\s*(\d+)$/.exec(value)?.slice(1).map(Number) : value;
  if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(Number.isInteger)) {
    throw new ConfigError(name, value, "a width and a height in whole pixels, such as 8x4");
  }
  if (pair.every((side) => side >= 1 && side <= most)) return [pair[0], pair[1]];
  throw new ConfigError(name, value, `from 1 to ${most} pixels wide, and as high`);
}

function checked(name: FieldName, value: unknown): unknown {
  const field = fieldOf(name);
  if (field.kind === "choice") return checkChoice(name, value, field);
  if (field.kind === "power") return checkPower(name, value, field);
  if (field.kind === "size") return checkSize(name, value, field);
  return checkNumber(name, value, field);
}

/**
 * One field's value as a config holds it, whatever the others are.
 * @throws ConfigError if there is no such field, or if its value is not allowed
 */
export function checkField(field: string, value: unknown): TrainConfig[keyof TrainConfig] {
  requireField(field);
  return checked(field, value) as TrainConfig[FieldName];
}

function requireField(field: string): asserts field is keyof TrainConfig {
  if (Object.hasOwn(fields, field)) return;
  const allowed = `made of the fields ${fieldNames.join(", ")} (did you mean ${closest(field, fieldNames)}?)`;
  throw new ConfigError("config", field, allowed);
}

/**
 * Fills in every default and checks every field; the only place that does.
 * Fields that are absent or undefined take the preset's value.
 * @throws ConfigError for the first field that is unknown or whose value is not allowed.
 */
export function completeConfig(given: Partial<Record<keyof TrainConfig, unknown>>): TrainConfig {
  // It may come from a file, and a text has as many keys as characters.
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ConfigError("config", given, "an object");
  }
  for (const field of Object.keys(given)) requireField(field);
  const preset = checked("preset", given.preset ?? fields.preset.default) as Preset;
  const filled: Record<string, unknown> = { preset, ...presets[preset] };
  for (const [field, value] of Object.entries(given)) if (value !== undefined) filled[field] = value;
  checked("blobs", filled.blobs);
  if (filled.covarianceScale === undefined) filled.covarianceScale = coveringScale(filled.blobs as number);
  const config = Object.fromEntries(fieldNames.map((name) => [name, checked(name, filled[name])])) as TrainConfig;
  checkTogether(config);
  return config;
}

/** Subtiles have 32 pixels, each of which a thread takes. */
const shortestSegment = 32;

/** Refuses values that are allowed each by itself, but not together. */
function checkTogether(config: TrainConfig): void {
  const { parameterization, blend, background, initializer, startShare, growEvery, gaussiansPerBlock } = config;
  if (config.pipeline === "binned" && Number(gaussiansPerBlock) < shortestSegment) {
    const allowed = `auto, or a power of two of at least ${shortestSegment} in the binned pipeline`;
    throw new ConfigError("gaussiansPerBlock", gaussiansPerBlock, allowed);
  }
  if (blend === "sum" && background === "original") {
    throw new ConfigError("background", background, "white or black with blend sum, which leaves no transmittance");
  }
  if (parameterization !== "direct") {
    const needed = "with parameterization direct alone";
    if (initializer !== "uniform")
      throw new ConfigError("initializer", initializer, `uniform; it is ${initializer} ${needed}`);
    if (growEvery > 0) throw new ConfigError("growEvery", growEvery, `0; blobs are added and moved ${needed}`);
  }
  if (startShare < 1 && growEvery === 0) {
    throw new ConfigError("startShare", startShare, "1 where growEvery is 0, since no blob would be added");
  }
}

/**
 * The covariance scale with which N blobs cover the image, in UV²: the power law through the original Slang sample's two
 * choices, 5e-3 for 200 blobs and 1e-4 for 20,480; from there on 1e-4.
 */
export function coveringScale(blobs: number): number {
  if (blobs >= 20480) return 1e-4;
  return 1e-4 * (20480 / blobs) ** (Math.log(50) / Math.log(20480 / 200));
}

/** The preset `baseline` with every default filled in. */
export const defaults: TrainConfig = completeConfig({});

/** The limits of an adapter that bound a config; WebGPU's names. */
export type AdapterLimits = Pick<
  GPUSupportedLimits,
  | "maxStorageBufferBindingSize"
  | "maxBufferSize"
  | "maxComputeWorkgroupStorageSize"
  | "maxComputeInvocationsPerWorkgroup"
  | "maxComputeWorkgroupSizeX"
  | "maxComputeWorkgroupSizeY"
>;

/** Returns how many blobs a tile's list holds in one pass of `tiled` and `cpu`. */
export function listCapacity({ gaussiansPerBlock }: Pick<TrainConfig, "gaussiansPerBlock">): number {
  return gaussiansPerBlock === "auto" ? 512 : gaussiansPerBlock;
}

/**
 * Refuses a tile, or blobs at a time, that an adapter's workgroups cannot hold, naming the largest that would fit.
 * @throws ConfigError
 */
export function checkWorkgroup(config: TrainConfig, limits: AdapterLimits): void {
  const [width, height] = config.tile;
  const { maxComputeInvocationsPerWorkgroup: most, maxComputeWorkgroupSizeX, maxComputeWorkgroupSizeY } = limits;
  if (width * height > most || width > maxComputeWorkgroupSizeX || height > maxComputeWorkgroupSizeY) {
    const sides = `${maxComputeWorkgroupSizeX} wide and ${maxComputeWorkgroupSizeY} high`;
    throw new ConfigError("tile", config.tile.join("x"), `at most ${most} pixels, ${sides}, on this adapter`);
  }
  const block = blockOf(config);
  const longest =
    2 ** Math.floor(Math.log2((limits.maxComputeWorkgroupStorageSize - workgroupBytes(config.tile)) / block.bytes));
  if (block.blobs > longest) {
    const where = `with tiles of ${width}x${height} on this adapter`;
    throw new ConfigError("gaussiansPerBlock", block.blobs, `at most ${longest} ${where}`);
  }
}

/** The blobs that a workgroup holds in its memory, and the bytes of each: an index in `tiled`, a decoded blob in `simple`. */
function blockOf(config: TrainConfig): { blobs: number; bytes: number } {
  if (config.pipeline === "tiled") return { blobs: listCapacity(config), bytes: 4 };
  if (config.pipeline === "simple" && config.gaussiansPerBlock !== "auto")
    return { blobs: config.gaussiansPerBlock, bytes: 48 };
  return { blobs: 0, bytes: 4 };
}

/** Bytes of the longest buffer that an adapter holds, all of it in one binding. */
export function longestBuffer({ maxStorageBufferBindingSize, maxBufferSize }: AdapterLimits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize);
}

/**
 * Refuses more blobs or pixels than an adapter's buffers hold, whatever the pipeline, naming the number that would fit.
 * @param size width and height of the target, or of the picture to draw, in pixels
 * @param train whether the job is to train, or only to draw
 * @throws ConfigError
 */
export function checkBuffers(
  config: TrainConfig,
  size: { width: number; height: number },
  limits: AdapterLimits,
  train = true,
): void {
  const bytes = longestBuffer(limits);
  // Parameters, their gradients and each of Adam's moments are buffers of their own, all of them as long.
  const mostBlobs = Math.floor(bytes / (4 * parameterCount));
  if (config.blobs > mostBlobs) throw new ConfigError("blobs", config.blobs, `at most ${mostBlobs} on this adapter`);
  // Where a picture is drawn in bands, only the target is one buffer.
  if (config.pipeline === "binned" && !train) return;
  const mostPixels = Math.floor(bytes / (config.pipeline === "binned" ? 4 : 16));
  if (size.width * size.height > mostPixels) {
    const side = Math.floor(Math.sqrt(mostPixels));
    const allowed = `at most ${mostPixels} pixels on this adapter, ${side}x${side} for one`;
    throw new ConfigError("image", `${size.width}x${size.height}`, allowed);
  }
}

/** Workgroup memory of a pipeline besides its blobs: the reduction buffer and the counters. */
function workgroupBytes([width, height]: [number, number]): number {
  return 4 * width * height + 64;
}
