// The model of the chapter undo.md, built on the CPU reference. The charts are in the page.
import { blendSteps, float32State, type StackBlob } from "../components/learn/pixelStack.js";
import { numberText } from "../components/page/numberText.js";
import type { Blend } from "../engine/config.js";
import {
  alphaBlend,
  attenuationOf,
  transformPixelState,
  undoAlphaBlend,
  undoPixelState,
} from "../engine/model/blend.js";
import { uniformGenerator } from "../engine/random.js";

export { drawSnapshot } from "../components/learn/drawSnapshot.js";
export { undoExercise } from "../components/learn/exercises/undo.js";
export { stackAt } from "../components/learn/pixelStack.js";

/** Bytes of a state: red, green, blue and T as float32. */
export const stateBytes = 16;
/** Bytes per pixel that the undo stores: the last state and the number of applied blobs. */
export const undoBytes = stateBytes + 4;

/**
 * Blends a pixel's stack in float32, and undoes it. Returns the number of applied blobs n; a row for each state 0 to n, front
 * to back, with the blob behind it (absent at n), T as the forward pass computed it (`cached`) and T after undoing (`undone`);
 * and a row for each method, step 0 to 2n and state that the method holds at the step.
 */
export function recordUndo(stack: readonly StackBlob[], blend: Blend) {
  const state = float32State();
  const blobs = stack.map((entry) => ({ ...entry, alpha: Math.fround(entry.alpha) }));
  const forward = blendSteps(blobs, blend, state).filter(({ isApplied }) => isApplied);
  const n = forward.length;
  const last = { place: n, cached: state.transmittance, undone: state.transmittance };
  const states: { place: number; blob?: StackBlob; cached: number; undone: number }[] = [last];
  for (const step of forward.toReversed()) {
    undoPixelState(state, step.position, step.blob, step.alpha, attenuationOf(blend));
    const { before } = step;
    states.unshift({ place: step.position - 1, blob: step, cached: before.transmittance, undone: state.transmittance });
  }
  const held = Array.from({ length: 2 * n + 1 }, (_, step) => {
    const current = step <= n ? step : 2 * n - step;
    const rows = states.slice(0, current + 1).map(({ place, cached, undone }) => {
      const isCurrent = place === current;
      const ways = [{ method: "caching", T: cached }];
      if (isCurrent) ways.push({ method: "undoing", T: step <= n ? cached : undone });
      return ways.map((way) => ({ ...way, step, place, isCurrent }));
    });
    return rows.flat();
  });
  return { n, states, held: held.flat() };
}

/** Returns a sentence on a step of both passes. */
export function describeUndo({ n, states }: ReturnType<typeof recordUndo>, step: number): string {
  if (step === 0) return `Before the first of ${n} blobs: T = 1. Both methods hold one state.`;
  const place = step <= n ? step : 2 * n - step;
  const { cached, undone } = states[place];
  if (step <= n) {
    const end = step === n ? " The backward pass begins here." : "";
    return `Forward, blob ${step} of ${n}: T = ${cached.toFixed(8)}. Caching holds ${step + 1} states, undoing holds 1.${end}`;
  }
  const { alpha } = states[place].blob!;
  const gap = Math.abs(undone - cached);
  const comparison = gap === 0 ? "exactly the cached T" : `${numberText(gap, 2)} from the cached T`;
  return `Backward, blob ${place + 1} of ${n}: T = ${states[place + 1].undone.toPrecision(6)} ÷ (1 − ${alpha.toFixed(6)}) = ${undone.toFixed(8)}, ${comparison}.`;
}

/** Number of random stacks of a job. */
export const stackCount = 200;
const color = { red: 0, green: 0, blue: 0 };

/**
 * Blends random stacks in float32 and undoes them. Returns the largest relative error of T in the undone states with the same
 * α in both passes (`same`), and with an α that is off by one rounding in the backward pass (`apart`); and the number of
 * stacks that cannot be undone, because that divides 0 by 0. It is the same on every call.
 * @param ceiling the largest α; one blob of each stack has it
 * @param hasStop whether a pixel stops below T = 1/255
 */
export function undoErrors({ blobs, ceiling, hasStop }: { blobs: number; ceiling: number; hasStop: boolean }) {
  const random = uniformGenerator(blobs);
  const result = { same: 0, apart: 0, failed: 0 };
  for (let stack = 0; stack < stackCount; stack++) {
    const alphas = Array.from({ length: blobs }, () => Math.fround(ceiling * random()));
    alphas[Math.floor(blobs * random())] = Math.fround(ceiling);
    const [same, apart] = [(alpha: number) => alpha, nextBelow].map((alphaOf) => errorOf(alphas, alphaOf, hasStop));
    if (Number.isFinite(same)) result.same = Math.max(result.same, same);
    else result.failed++;
    if (Number.isFinite(apart)) result.apart = Math.max(result.apart, apart);
  }
  return result;
}

/** Returns the largest relative error of T in the undone states of a stack; infinite where T is 0. */
function errorOf(alphas: readonly number[], alphaOf: (alpha: number) => number, hasStop: boolean): number {
  const state = float32State();
  const before: number[] = [];
  for (const alpha of alphas) {
    before.push(state.transmittance);
    if (!hasStop) alphaBlend(state, color, alpha, 1);
    else if (!transformPixelState(state, color, alpha, 1)) {
      before.pop();
      break;
    }
  }
  const undone = Object.assign(float32State(), { transmittance: state.transmittance });
  const errors = before.toReversed().map((T, i) => {
    undoAlphaBlend(undone, color, alphaOf(alphas[before.length - 1 - i]), 1);
    const error = Math.abs(undone.transmittance / T - 1);
    return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
  });
  return Math.max(...errors);
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Returns the next smaller float32 of a number above 0. */
function nextBelow(value: number): number {
  float[0] = value;
  bits[0]--;
  return float[0];
}
