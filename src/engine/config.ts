import { closest, distance } from "fastest-levenshtein";
import { type Parameterization, parameterCount, parameterizations } from "./model/blobs.js";
import { quoted } from "./quoted.js";

/** What a training run is told. Every field has a value: `completeConfig` fills in the defaults. */
export interface TrainConfig {
  /** The preset whose values stand where no other was given. */
  preset: Preset;
  /** Number of blobs N. */
  blobs: number;
  /** Number of training steps. */
  steps: number;
  /** Adam's η, in units of raw parameters a step. */
  learningRate: number;
  /** η of a parameter group, as a multiple of learningRate. */
  centerRate: number;
  varianceRate: number;
  correlationRate: number;
  colorRate: number;
  opacityRate: number;
  /** How η falls over the run: not at all, by a constant factor a step, or along half a cosine. */
  schedule: Schedule;
  /** What is left of η at the last step, as a share of it; not with a constant schedule. */
  finalRate: number;
  /** Tile width and height in pixels; a tile is one workgroup. */
  tile: [number, number];
  /**
   * Blobs that a workgroup takes at a time: `tiled` and `cpu` hold so many in a tile's list, longer lists take several
   * passes; `binned` cuts lists into segments of so many entries; `simple` decodes so many together. With "auto" the
   * pipeline chooses.
   */
  gaussiansPerBlock: number | "auto";
  /** Who computes: all pipelines compute the same function. */
  pipeline: PipelineName;
  /** Where blobs begin: anywhere, or where the picture has detail, with its colours. */
  initializer: Initializer;
  /** Share of the blobs with which training begins; the others come where the error is. */
  startShare: number;
  /** Steps between two growths, in which blobs are added, and those that do least go where the error is; 0 for none. */
  growEvery: number;
  /** Share of the steps after which no blob is added or moved. */
  growUntil: number;
  /** Decibels that a twentieth of the steps has to add after growth; where it adds less the run soon ends. 0 for never. */
  plateau: number;
  /** How raw parameters become a blob. */
  parameterization: Parameterization;
  /** Σxx and Σyy of smoothstep blobs are at most 1.005 times this, in UV². */
  covarianceScale: number;
  /** How blobs combine at a pixel. */
  blend: Blend;
  /** How the blended colour C and the transmittance T become a pixel: C (1 − T) + T, C + T over white, or C over black. */
  composite: Composite;
  /** Adam's bias correction: 1 − β (right at the first step only), or 1 − βᵗ. */
  biasCorrection: BiasCorrection;
  /** Seed of the initial parameters. */
  seed: number;
}

const choices = {
  preset: ["seed", "quality"],
  pipeline: ["simple", "tiled", "binned", "cpu"],
  schedule: ["constant", "exponential", "cosine"],
  initializer: ["uniform", "gradient"],
  parameterization: parameterizations,
  blend: ["over", "sum"],
  composite: ["seed", "white", "black"],
  biasCorrection: ["constant", "exact"],
} as const;

type Preset = (typeof choices.preset)[number];
export type PipelineName = (typeof choices.pipeline)[number];
type Schedule = (typeof choices.schedule)[number];
type Initializer = (typeof choices.initializer)[number];
export type Blend = (typeof choices.blend)[number];
export type Composite = (typeof choices.composite)[number];
export type BiasCorrection = (typeof choices.biasCorrection)[number];

/** The values of the presets; a covarianceScale that is absent follows the number of blobs. */
export const presets: Record<Preset, Omit<TrainConfig, "preset" | "covarianceScale">> = {
  seed: {
    blobs: 40960,
    steps: 10000,
    learningRate: 0.002,
    centerRate: 1,
    varianceRate: 1,
    correlationRate: 1,
    colorRate: 1,
    opacityRate: 1,
    schedule: "constant",
    finalRate: 1,
    initializer: "uniform",
    startShare: 1,
    growEvery: 0,
    growUntil: 0.5,
    plateau: 0,
    tile: [8, 4],
    gaussiansPerBlock: "auto",
    pipeline: "binned",
    parameterization: "smoothstep",
    blend: "over",
    composite: "seed",
    biasCorrection: "constant",
    seed: 1,
  },
  quality: {
    blobs: 9000,
    steps: 10000,
    learningRate: 0.08,
    centerRate: 6,
    varianceRate: 1,
    correlationRate: 1,
    colorRate: 0.5,
    opacityRate: 1,
    schedule: "cosine",
    finalRate: 0.01,
    initializer: "gradient",
    startShare: 0.6,
    growEvery: 250,
    growUntil: 0.5,
    plateau: 0,
    tile: [8, 4],
    gaussiansPerBlock: "auto",
    pipeline: "binned",
    parameterization: "direct",
    blend: "over",
    composite: "black",
    biasCorrection: "exact",
    seed: 1,
  },
};

/** The names that a field may take, for controls and command-line help. */
export function allowedNames(field: keyof typeof choices): readonly string[] {
  return choices[field];
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

type Check<T> = (field: string, value: unknown) => T;

const integer =
  (low: number, high = Number.POSITIVE_INFINITY): Check<number> =>
  (field, value) => {
    if (typeof value === "number" && Number.isInteger(value) && value >= low && value <= high) return value;
    throw new ConfigError(field, value, `a whole number from ${low}${Number.isFinite(high) ? ` to ${high}` : ""}`);
  };

const positive =
  (high: number): Check<number> =>
  (field, value) => {
    if (typeof value === "number" && value > 0 && value <= high) return value;
    throw new ConfigError(field, value, `a number above 0, at most ${high}`);
  };

const from0 =
  (high: number): Check<number> =>
  (field, value) => {
    if (typeof value === "number" && value >= 0 && value <= high) return value;
    throw new ConfigError(field, value, `a number from 0 to ${high}`);
  };

const blockSize: Check<number | "auto"> = (field, value) => {
  const isPower = typeof value === "number" && value >= 2 && value <= 65536 && Number.isInteger(Math.log2(value));
  if (value === "auto" || isPower) return value as number | "auto";
  throw new ConfigError(field, value, "auto, or a power of two from 2 to 65536");
};

const oneOf =
  <T extends string>(names: readonly T[]): Check<T> =>
  (field, value) => {
    if (names.includes(value as T)) return value as T;
    const near = typeof value === "string" && value ? closest(value, names) : undefined;
    // A name all of whose letters would have to change is not near.
    const isNear = near && distance(value as string, near) <= Math.min(3, near.length - 1);
    const hint = isNear ? ` (did you mean ${near}?)` : "";
    throw new ConfigError(field, value, `${names.length > 1 ? "one of " : ""}${names.join(", ")}${hint}`);
  };

/** Of a tile, in pixels. */
const longestSide = 1024;

const tileSize: Check<[number, number]> = (field, value) => {
  const pair = typeof value === "string" ? /^(\d+)\s*[x×]\s*(\d+)$/.exec(value)?.slice(1).map(Number) : value;
  if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(Number.isInteger)) {
    throw new ConfigError(field, value, "a width and a height in whole pixels, such as 8x4");
  }
  if (pair.every((side) => side >= 1 && side <= longestSide)) return [pair[0], pair[1]];
  throw new ConfigError(field, value, `from 1 to ${longestSide} pixels wide, and as high`);
};

const checks: { [F in keyof TrainConfig]: Check<TrainConfig[F]> } = {
  preset: oneOf(choices.preset),
  // Each engine has a limit of its own, which its backend tells.
  blobs: integer(1),
  steps: integer(1, 1_000_000_000),
  learningRate: positive(10),
  centerRate: from0(1e6),
  varianceRate: from0(1e6),
  correlationRate: from0(1e6),
  colorRate: from0(1e6),
  opacityRate: from0(1e6),
  schedule: oneOf(choices.schedule),
  finalRate: positive(1),
  initializer: oneOf(choices.initializer),
  startShare: positive(1),
  growEvery: integer(0, 1_000_000_000),
  growUntil: from0(1),
  plateau: from0(100),
  tile: tileSize,
  gaussiansPerBlock: blockSize,
  pipeline: oneOf(choices.pipeline),
  parameterization: oneOf(choices.parameterization),
  covarianceScale: positive(10),
  blend: oneOf(choices.blend),
  composite: oneOf(choices.composite),
  biasCorrection: oneOf(choices.biasCorrection),
  seed: integer(-(2 ** 31), 2 ** 32 - 1),
};

/**
 * One field's value as a config holds it, whatever the others are.
 * @throws ConfigError if there is no such field, or if its value is not allowed
 */
export function checkField(field: string, value: unknown): TrainConfig[keyof TrainConfig] {
  requireField(field);
  return checks[field](field, value);
}

function requireField(field: string): asserts field is keyof TrainConfig {
  if (Object.hasOwn(checks, field)) return;
  const names = Object.keys(checks);
  const allowed = `made of the fields ${names.join(", ")} (did you mean ${closest(field, names)}?)`;
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
  const preset = checks.preset("preset", given.preset ?? "seed");
  const filled: Record<string, unknown> = { preset, ...presets[preset] };
  for (const [field, value] of Object.entries(given)) if (value !== undefined) filled[field] = value;
  checks.blobs("blobs", filled.blobs);
  if (filled.covarianceScale === undefined) {
    filled.covarianceScale = coveringScale(filled.blobs as number);
  }
  const entries = Object.entries(checks).map(([field, check]) => [field, check(field, filled[field])]);
  const config = Object.fromEntries(entries) as TrainConfig;
  checkTogether(config);
  return config;
}

/** Subtiles have 32 pixels, each of which a thread takes. */
const shortestSegment = 32;

/** Refuses values that are allowed each by itself, but not together. */
function checkTogether(config: TrainConfig): void {
  const { parameterization, blend, composite, initializer, startShare, growEvery, gaussiansPerBlock } = config;
  if (config.pipeline === "binned" && Number(gaussiansPerBlock) < shortestSegment) {
    const allowed = `auto, or a power of two of at least ${shortestSegment} in the binned pipeline`;
    throw new ConfigError("gaussiansPerBlock", gaussiansPerBlock, allowed);
  }
  if (blend === "sum" && composite === "seed") {
    throw new ConfigError("composite", composite, "white or black with blend sum, which leaves no transmittance");
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
 * The covariance scale with which N blobs cover the image, in UV²: the power law through the seeds' two
 * choices, 5e-3 for 200 blobs and 1e-4 for 20,480; from there on 1e-4.
 */
export function coveringScale(blobs: number): number {
  if (blobs >= 20480) return 1e-4;
  return 1e-4 * (20480 / blobs) ** (Math.log(50) / Math.log(20480 / 200));
}

/** The seed preset with every default filled in. */
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
