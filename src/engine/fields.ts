import { parameterizations } from "./model/blobs.js";

interface Described {
  /** Name in forms and charts. */
  label: string;
  /** Description in forms and in the command line's help. */
  help: string;
  /** Unit of its numbers. */
  unit?: string;
}

/** A field with a few named values. */
export interface ChoiceField extends Described {
  kind: "choice";
  choices: readonly string[];
  default: string;
  quality?: string;
}

/** A field with a number. */
export interface NumberField extends Described {
  kind: "number" | "integer";
  /** The smallest value. */
  least?: number;
  /** Exclusive lower bound, where there is no smallest value. */
  above?: number;
  /** The largest value; absent if only the engine limits it. */
  most?: number;
  /** Range of a slider; typed values may lie outside. */
  slider: readonly [low: number, high: number];
  /** Linear if absent. */
  scale?: "log";
  /** Values that a sweep suggests. */
  typical: readonly number[];
  /** Absent if it follows from other fields. */
  default?: number;
  quality?: number;
}

/** A field with a power of two, or "auto". */
export interface PowerField extends Described {
  kind: "power";
  least: number;
  most: number;
  typical: readonly number[];
  default: "auto";
  quality?: "auto";
}

/** A field with a width and a height. */
export interface SizeField extends Described {
  kind: "size";
  /** The longest side. */
  most: number;
  typical: readonly string[];
  default: readonly [width: number, height: number];
  quality?: readonly [width: number, height: number];
}

/** The description of a field of the configuration. */
export type Field = ChoiceField | NumberField | PowerField | SizeField;

const multiple = {
  kind: "number",
  unit: "× learning rate",
  least: 0,
  most: 1e6,
  slider: [0, 10],
  typical: [0.1, 0.3, 1, 3, 10],
  default: 1,
} as const;

const fraction = {
  kind: "number",
  most: 1,
  slider: [0.01, 1],
  typical: [0.1, 0.25, 0.5, 0.75, 1],
} as const;

/**
 * The fields of the configuration. Types, checks, presets, forms, links, sweeps and command-line options derive from
 * this table. `default` is the value in the preset `baseline`, `quality` the value in that preset where it differs.
 */
export const fields = {
  /** Supplies the values of absent fields. */
  preset: {
    label: "Preset",
    help: "defaults of all other settings, for the original algorithm or the best quality",
    kind: "choice",
    choices: ["baseline", "quality"],
    default: "baseline",
  },
  /** Number of blobs N. */
  blobs: {
    label: "Blobs",
    help: "number of blobs (2D Gaussians)",
    kind: "integer",
    // Each backend checks the limit of its engine.
    least: 1,
    slider: [1, 100_000],
    scale: "log",
    typical: [50, 100, 200, 400, 1600, 8192, 40960],
    default: 40960,
    quality: 9000,
  },
  steps: {
    label: "Steps",
    help: "number of training steps",
    kind: "integer",
    least: 1,
    most: 1_000_000_000,
    slider: [1, 100_000],
    scale: "log",
    typical: [50, 100, 200, 500, 1000, 2000],
    default: 10000,
  },
  /** Adam's η. */
  learningRate: {
    label: "Learning rate",
    help: "Adam's learning rate, in units of the raw parameters",
    unit: "raw units per step",
    kind: "number",
    above: 0,
    most: 10,
    slider: [0.0001, 1],
    scale: "log",
    typical: [0.001, 0.003, 0.01, 0.03, 0.1],
    default: 0.002,
    quality: 0.08,
  },
  centerRate: {
    ...multiple,
    label: "Centre learning rate",
    help: "learning rate of the centres, as a multiple of the learning rate",
    quality: 6,
  },
  varianceRate: {
    ...multiple,
    label: "Variance learning rate",
    help: "learning rate of the variances, as a multiple of the learning rate",
  },
  correlationRate: {
    ...multiple,
    label: "Correlation learning rate",
    help: "learning rate of the correlations, as a multiple of the learning rate",
  },
  colorRate: {
    ...multiple,
    label: "Colour learning rate",
    help: "learning rate of the colours, as a multiple of the learning rate",
    quality: 0.5,
  },
  opacityRate: {
    ...multiple,
    label: "Opacity learning rate",
    help: "learning rate of the opacities, as a multiple of the learning rate",
  },
  /** No decrease, a constant factor per step, or half a cosine. */
  schedule: {
    label: "Learning-rate schedule",
    help: "how the learning rate decreases over the run",
    kind: "choice",
    choices: ["constant", "exponential", "cosine"],
    default: "constant",
    quality: "cosine",
  },
  /** Has no effect with a constant schedule. */
  finalRate: {
    label: "Final learning rate",
    help: "learning rate of the last step, as a multiple of the learning rate",
    unit: "× learning rate",
    kind: "number",
    above: 0,
    most: 1,
    slider: [0.001, 1],
    scale: "log",
    typical: [0.001, 0.01, 0.1, 1],
    default: 1,
    quality: 0.01,
  },
  /** Anywhere, or where the image has detail, with its colours. */
  initializer: {
    label: "Initialization",
    help: "where blobs start: at random, or where the image has detail",
    kind: "choice",
    choices: ["uniform", "gradient"],
    default: "uniform",
    quality: "gradient",
  },
  startShare: {
    ...fraction,
    label: "Initially active blobs",
    help: "fraction of the blobs that are active at the start; density control activates the others",
    unit: "fraction of the blobs",
    above: 0,
    default: 1,
    quality: 0.6,
  },
  /** Densification adds blobs where the error is; pruning moves the blobs that contribute least there. */
  growEvery: {
    label: "Density control interval",
    help: "steps between two rounds of density control, which moves blobs to where the error is; 0 for none",
    unit: "steps",
    kind: "integer",
    least: 0,
    most: 1_000_000_000,
    slider: [0, 1000],
    typical: [25, 50, 100, 250],
    default: 0,
    quality: 250,
  },
  growUntil: {
    ...fraction,
    label: "Density control until",
    help: "fraction of the steps after which density control ends",
    unit: "fraction of the steps",
    least: 0,
    default: 0.5,
  },
  plateau: {
    label: "Early stopping",
    help: "end the run when PSNR rises by less than this in a twentieth of the steps; 0 for never",
    unit: "dB",
    kind: "number",
    least: 0,
    most: 100,
    slider: [0, 1],
    typical: [0, 0.01, 0.05, 0.2],
    default: 0,
  },
  /** A tile is one workgroup. */
  tile: {
    label: "Tile",
    help: "width and height of a tile, in pixels",
    unit: "pixels",
    kind: "size",
    most: 1024,
    typical: ["4x4", "8x4", "8x8", "16x8", "16x16", "32x32"],
    default: [8, 4],
  },
  /**
   * The list capacity of a tile in `tiled` and `cpu`, where longer lists take several passes; the entries of a segment of
   * a list in `binned`; without effect in `simple`. With "auto" the pipeline chooses.
   */
  gaussiansPerBlock: {
    label: "Tile list capacity (GAUSSIANS_PER_BLOCK)",
    help: "tile list capacity, or segment length in binned: auto, or a power of two",
    unit: "blobs",
    kind: "power",
    least: 2,
    most: 65536,
    typical: [32, 64, 128, 256, 512, 1024, 2048, 4096],
    default: "auto",
  },
  pipeline: {
    label: "Pipeline",
    help: "implementation of the training step; all compute the same function",
    kind: "choice",
    choices: ["simple", "tiled", "binned", "cpu"],
    default: "binned",
  },
  parameterization: {
    label: "Parameterization",
    help: "how raw parameters become a blob",
    kind: "choice",
    choices: parameterizations,
    default: "smoothstep",
    quality: "direct",
  },
  /** Σxx and Σyy are at most 1.005 times this. */
  covarianceScale: {
    label: "Covariance scale",
    help: "largest variance of a smoothstep blob, in UV²",
    unit: "UV²",
    kind: "number",
    above: 0,
    most: 10,
    slider: [1e-5, 0.1],
    scale: "log",
    typical: [1e-4, 3e-4, 1e-3, 3e-3, 1e-2],
  },
  blend: {
    label: "Blend",
    help: "how blobs combine at a pixel: alpha compositing or summation",
    kind: "choice",
    choices: ["over", "sum"],
    default: "over",
  },
  /** How the blended colour C and the transmittance T become a pixel: C (1 − T) + T, C + T over white, or C over black. */
  background: {
    label: "Background",
    help: "background behind the blobs",
    kind: "choice",
    choices: ["original", "white", "black"],
    default: "original",
    quality: "black",
  },
  /** 1 − β, which is correct only at the first step, or 1 − βᵗ. */
  biasCorrection: {
    label: "Bias correction",
    help: "bias correction of Adam's moments: that of the first step throughout, or that of each step",
    kind: "choice",
    choices: ["constant", "exact"],
    default: "constant",
    quality: "exact",
  },
  seed: {
    label: "Random seed",
    help: "random seed of the initial parameters",
    kind: "integer",
    least: -(2 ** 31),
    most: 2 ** 32 - 1,
    slider: [1, 1000],
    typical: [1, 2, 3, 4, 5],
    default: 1,
  },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

/** The fields in their order. */
export const fieldNames = Object.keys(fields) as FieldName[];

/** Returns the description of a field. */
export function fieldOf(name: FieldName): Field {
  return fields[name];
}

/** Returns the choices of a field, or typical values, as they are typed. */
export function typicalValues(name: FieldName): readonly (number | string)[] {
  const field = fieldOf(name);
  return field.kind === "choice" ? field.choices : field.typical;
}

/** Returns whether the values of a field are numbers, "auto" aside. */
export function isNumeric(name: FieldName): boolean {
  const { kind } = fields[name];
  return kind !== "choice" && kind !== "size";
}

/** Returns the number that a text is in decimal notation, such as 1000, -0.5 or 1e-3, or the text itself. */
export function parseNumber(text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

/** Returns the value of a field that a text contains, unchecked: a number if the field has numbers and the text is one. */
export function parseField(name: string, text: string): number | string {
  return Object.hasOwn(fields, name) && isNumeric(name as FieldName) ? parseNumber(text) : text;
}

/** Returns a value as it is typed: a tile is "8x4". */
export function formatField<T>(value: T): T extends readonly unknown[] ? string : T {
  return (Array.isArray(value) ? value.join("x") : value) as never;
}
