import { alphaBlend, transformPixelState, undoAlphaBlend } from "../../../engine/model/blend.js";
import type { BlobValues } from "../../../engine/model/blob.js";
import { uniformGenerator } from "../../../engine/random.js";
import { float32State, newPixelState } from "../pixelStack.js";
import { bitsOf, floatOf } from "../reduction/floatBits.js";

/** Stacks of random blobs. */
export interface CeilingJob {
  blobs: number;
  /** The largest α; one blob of each stack has it. */
  ceiling: number;
  /** Whether a pixel stops below T = 1/255. */
  hasStop: boolean;
}

/** The largest relative errors of T in a stack's states; infinite where the undo divides 0 by 0. */
export type CeilingErrors = ReturnType<typeof errorsOf>;

/** Number of stacks of a job. */
export const stackCount = 200;
const blob = { red: 0.5, green: 0.5, blue: 0.5 } as BlobValues;

/** Returns the errors of every stack of a job, the same on every call. */
export function ceilingErrors({ blobs, ceiling, hasStop }: CeilingJob): CeilingErrors[] {
  const random = uniformGenerator(blobs);
  return Array.from({ length: stackCount }, () => {
    const alphas = Array.from({ length: blobs }, () => ceiling * random());
    alphas[Math.floor(blobs * random())] = ceiling;
    return errorsOf(alphas, hasStop);
  });
}

/** Returns the largest of each finite error; stacks that cannot be undone are counted separately. */
export function largestErrors(errors: readonly CeilingErrors[]): CeilingErrors {
  const largest = (key: keyof CeilingErrors) =>
    Math.max(0, ...errors.map((error) => error[key]).filter(Number.isFinite));
  return { same: largest("same"), apart: largest("apart"), forward: largest("forward") };
}

function errorsOf(alphas: number[], hasStop: boolean) {
  const float32Alphas = alphas.map(Math.fround);
  const state = float32State();
  const exact = newPixelState();
  const transmittances: number[] = [];
  let forward = 0;
  for (const [i, alpha] of float32Alphas.entries()) {
    const before = state.transmittance;
    if (!hasStop) alphaBlend(state, blob, alpha, 1);
    else if (!transformPixelState(state, blob, alpha, 1)) break;
    transmittances.push(before);
    alphaBlend(exact, blob, alphas[i], 1);
    forward = Math.max(forward, relativeError(state.transmittance, exact.transmittance));
  }
  const undo = (alphaOf: (alpha: number) => number) => {
    const undoneState = Object.assign(float32State(), { transmittance: state.transmittance });
    const errors = transmittances.toReversed().map((before, i) => {
      undoAlphaBlend(undoneState, blob, alphaOf(float32Alphas[transmittances.length - 1 - i]), 1);
      return relativeError(undoneState.transmittance, before);
    });
    return Math.max(0, ...errors);
  };
  // `apart` undoes with the next smaller float32, which another order of operations can produce. `forward` is the error
  // of the forward pass in float32, against float64.
  return { same: undo((alpha) => alpha), apart: undo(nextBelow), forward };
}

function relativeError(value: number, expected: number): number {
  if (expected === 0) return value === 0 ? 0 : Number.POSITIVE_INFINITY;
  const error = Math.abs(value / expected - 1);
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

/** Returns the next smaller float32 of a number above 0. */
export function nextBelow(value: number): number {
  return floatOf(Math.max(bitsOf(value) - 1, 0));
}
