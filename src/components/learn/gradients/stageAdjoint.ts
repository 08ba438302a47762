import type { Background } from "../../../engine/config.js";
import { type BlobValues, valueNames } from "../../../engine/model/blob.js";
import { parameterNames } from "../../../engine/model/blobs.js";
import type { CodePair } from "../../figures/codePairs.js";
import type { StepSample } from "./stepSample.js";

/** The stages with an adjoint, in the order of the forward pass, and the chain of all. learn/stageAdjoints.wgsl uses their indices. */
export const adjointStages = [
  "decode",
  "covariance",
  "falloff",
  "blend",
  "undo",
  "composite",
  "loss",
  "chain",
] as const;

export type AdjointStage = (typeof adjointStages)[number];

/** An input of a stage. Symbols and formulas are in the notation of `mathText`. */
export interface StageInput {
  name: string;
  symbol: string;
  /** The thing that links it with other figures. */
  thing: string;
  formula: string;
  /** The scale on which the stage changes: a step h is relative to it. */
  unit: number;
  low: number;
  high: number;
  /** Where the stage is defined, in words after "must be"; everywhere if absent. */
  constraint?: { allows: (value: number) => boolean; text: string };
}

/** A point where the stage bends or jumps. */
export interface Kink {
  label: string;
  /** The index of the input along which it does. */
  input: number;
  move: (x: readonly number[]) => number[];
  /** Half of the range that the charts show, in units of the input; the whole range if absent. */
  closeUp?: number;
  explanation: string;
}

/** A stage at a sample of a run: its forward and its backward function. */
export interface Stage {
  inputs: StageInput[];
  outputs: string[];
  /** The inputs in the run. */
  at: number[];
  /** dL/d(outputs) there. */
  incoming: number[];
  /** Further inputs, which do not change, in the order of shaders/learn/stageAdjoints.wgsl. */
  fixedInputs?: number[];
  forward(x: readonly number[]): number[];
  /** dL/d(inputs), given dL/d(outputs), by the engine's own backward function. */
  backward(x: readonly number[], d: readonly number[]): number[];
  /** A backward function with a common mistake. */
  mistake: { description: string; backward(x: readonly number[], d: readonly number[]): number[] };
  kinks?: Kink[];
}

/** A stage with its name and sample. */
export interface StageAdjoint extends Stage {
  stage: AdjointStage;
  sample: StepSample;
  background: Background;
}

/** Returns an input between 0 and 1. */
export function unitInput(name: string, symbol: string, thing: string, formula: string): StageInput {
  return { name, symbol, thing, formula, unit: 1, low: 0, high: 1 };
}

/** Returns the decoded values in the order of the raw parameters. */
export const orderedValues = (values: BlobValues) => valueNames.map((name) => values[name]);

/** Returns the thing of a raw parameter and its decoded value. */
export function thingOf(field: number): string {
  return `parameter:${parameterNames[field]}`;
}

const adjointCode: Record<AdjointStage, CodePair> = {
  decode: { wgsl: "shared/smoothstep.wgsl#decodeSmoothstepBackward", reference: "model/blob.ts#decodeSmoothstep" },
  covariance: { wgsl: "shared/blob.wgsl#evalBackward", reference: "model/blob.ts#evalBackward" },
  falloff: { wgsl: "shared/blob.wgsl#evalBackward", reference: "model/blob.ts#evalBackward" },
  blend: { wgsl: "shared/blend.wgsl#alphaBlendBackward", reference: "model/blend.ts#alphaBlendBackward" },
  undo: { wgsl: "shared/blend.wgsl#undoAlphaBlend", reference: "model/blend.ts#undoAlphaBlend" },
  composite: { wgsl: "shared/loss.wgsl#compositeBackward", reference: "model/blend.ts#lossBackward" },
  loss: { wgsl: "shared/loss.wgsl#lossBackward", reference: "model/blend.ts#lossBackward" },
  chain: { wgsl: "tiled/fineRasterize.wgsl#fineRasterizeBackward", reference: "model/rasterize.ts#differentiate" },
};
const directCode: CodePair = {
  wgsl: "shared/direct.wgsl#decodeDirectBackward",
  reference: "model/blob.ts#decodeDirect",
};

/** Returns the code of a stage's adjoint. */
export function adjointCodeOf({ stage, sample }: StageAdjoint): CodePair {
  const isDirect = stage === "decode" && sample.config.parameterization === "direct";
  return isDirect ? directCode : adjointCode[stage];
}

/** Returns the thing of the lines of code that compute the adjoint of an input. */
export function codeThing({ stage, background }: StageAdjoint, input: number): string {
  if (stage === "chain") return "code:chain";
  return `code:${stage}.${stage === "composite" || stage === "loss" ? `${background}.` : ""}${input}`;
}
