import type { Background } from "../../../engine/config.js";
import { type BlobValues, valueNames } from "../../../engine/model/blob.js";
import { parameterNames } from "../../../engine/model/blobs.js";
import type { CodePair } from "../../figures/codePairs.js";
import type { StepSample } from "./stepSample.js";

/** The stages of a step that have an adjoint, in the order of the way forward, and the whole chain of them. */
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

/** One number that a stage is given. Symbols and formulas are in the notation of `mathText`. */
export interface StageInput {
  name: string;
  symbol: string;
  /** What it stands for, beyond this figure. */
  thing: string;
  formula: string;
  /** The length along which the stage changes as a whole: what a relative step is relative to. */
  unit: number;
  low: number;
  high: number;
  /** Whether the stage is defined there, as the end of a sentence that begins with "must be"; always if absent. */
  constraint?: { allows: (value: number) => boolean; text: string };
}

/** A place at which the stage bends or jumps. */
export interface Kink {
  label: string;
  /** Which input is then looked at. */
  input: number;
  move: (x: readonly number[]) => number[];
  /** Half of what the chart then shows of the input, in its units; the whole range if absent. */
  closeUp?: number;
  explanation: string;
}

/** What a stage computes at a place of a run, and how it takes gradients back. */
export interface Stage {
  inputs: StageInput[];
  outputs: string[];
  /** Where it begins. */
  at: number[];
  /** dL/d(outputs) there. */
  incoming: number[];
  /** What stays as it is, in the order in which shaders/learn/stageAdjoints.wgsl is given it. */
  fixedInputs?: number[];
  forward(x: readonly number[]): number[];
  /** dL/d(inputs), given dL/d(outputs), by the engine's own backward function. */
  backward(x: readonly number[], d: readonly number[]): number[];
  /** The same with a mistake in it that is easily made. */
  mistake: { description: string; backward(x: readonly number[], d: readonly number[]): number[] };
  kinks?: Kink[];
}

/** A stage with its name, and where in a run it is. */
export interface StageAdjoint extends Stage {
  stage: AdjointStage;
  sample: StepSample;
  /** The config's, unless another one is looked at. */
  background: Background;
}

/** An input between 0 and 1. */
export function unitInput(name: string, symbol: string, thing: string, formula: string): StageInput {
  return { name, symbol, thing, formula, unit: 1, low: 0, high: 1 };
}

/** A blob’s values in the order of its raw parameters. */
export const orderedValues = (values: BlobValues) => valueNames.map((name) => values[name]);

/** A value of the blob, or the raw parameter that decodes to it. */
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

/** The thing that the lines of code stand for which compute an input's adjoint. */
export function codeThing({ stage, background }: StageAdjoint, input: number): string {
  if (stage === "chain") return "code:chain";
  return `code:${stage}.${stage === "composite" || stage === "loss" ? `${background}.` : ""}${input}`;
}
