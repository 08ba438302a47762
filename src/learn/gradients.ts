// The model of the chapter gradients.md: one blob at one pixel as stages, each with the adjoint of the CPU reference.
import { blendSteps, newPixelState, type StackBlob, stackAt } from "../components/learn/pixelStack.js";
import type { Snapshot } from "../components/learn/snapshotFile.js";
import * as blending from "../engine/model/blend.js";
import * as evaluation from "../engine/model/blob.js";
import { parameterCount } from "../engine/model/blobs.js";
import { deviations } from "../engine/model/bounds.js";
import { calcUV } from "../engine/model/uv.js";
import { colorAt } from "../engine/training/initialState.js";

export { drawSnapshot } from "../components/learn/drawSnapshot.js";
export { gradientsExercise } from "../components/learn/exercises/gradients.js";
export { numberText, powerOfTen } from "../components/page/numberText.js";

/** A stage of the forward pass with its adjoint. Inputs and outputs are named by their symbols. */
export interface Stage {
  name: string;
  formula: string;
  inputs: string[];
  outputs: string[];
  forward(x: readonly number[]): number[];
  /** Returns dL/d(inputs), given dL/d(outputs). */
  backward(x: readonly number[], d: readonly number[]): number[];
}

type Values = Record<string, number>;
type Pixel = { u: number; v: number; target: readonly number[] };

/** One blob at one pixel: its stages, the inputs of the first, all values, and their adjoints. */
export type Sample = NonNullable<ReturnType<typeof sampleAt>>;

const colors = (prefix: string) => ["r", "g", "b"].map((channel) => prefix + channel);
const thetas = Array.from({ length: parameterCount }, (_, field) => `θ${field}`);
const symbols = ["µx", "µy", "Σxx", "Σyy", "ρ", ...colors("c"), "o"];
const [before, after, last] = ["", "′", "″"].map((prime) => [...colors(`C${prime}`), `T${prime}`]);

const stateOf = (x: readonly number[]): blending.PixelState => {
  return { red: x[0], green: x[1], blue: x[2], transmittance: x[3], finalCount: 0 };
};
const numbersOf = ({ red, green, blue, transmittance }: blending.PixelState) => [red, green, blue, transmittance];
/** Returns the colour among the inputs of a blend. */
const colorFrom = (x: readonly number[]) => ({ red: x[4], green: x[5], blue: x[6] }) as evaluation.Blob;
const orderedValues = (values: evaluation.BlobValues) => evaluation.valueNames.map((name) => values[name]);
const zeroGradient = () =>
  Object.fromEntries(evaluation.valueNames.map((name) => [name, 0])) as unknown as evaluation.BlobValues;

/** Returns the blobs that are blended into a pixel, front to back, with the state before each. */
export function blobsAt(snapshot: Snapshot, x: number, y: number) {
  return blendSteps(stackAt(snapshot, x, y), snapshot.config.blend).filter(({ isApplied }) => isApplied);
}

/** Returns a blob of `blobsAt` as stages, with all values and adjoints; undefined if the pixel has no such blob. */
export function sampleAt(snapshot: Snapshot, x: number, y: number, place: number) {
  const stack = blobsAt(snapshot, x, y);
  if (!stack[place]) return undefined;
  const uv = calcUV(snapshot.image, snapshot.image);
  const [u, v] = [x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY];
  const target = colorAt(snapshot.image, y * snapshot.image.width + x);
  const stages = stagesOf(snapshot, { u, v, target }, stack[place].blob, stack.slice(place + 1));
  const { parameters } = snapshot.state;
  const theta = thetas.map((_, field) => parameters[(field * parameters.length) / parameterCount + stack[place].index]);
  const start = { ...named(thetas, theta), ...named(before, numbersOf(stack[place].before)) };
  const values = runForward(stages, start);
  return { u, v, stages, start, values, adjoints: runBackward(stages, values) };
}

const exact = (value: number) => value;
const named = (names: string[], numbers: readonly number[]): Values =>
  Object.fromEntries(names.map((name, k) => [name, numbers[k]]));
const pick = (names: string[], values: Values) => names.map((name) => values[name]);

function runForward(stages: readonly Stage[], start: Values, round = exact): Values {
  const values = Object.fromEntries(Object.entries(start).map(([name, value]) => [name, round(value)]));
  for (const { inputs, outputs, forward } of stages) {
    Object.assign(values, named(outputs, forward(pick(inputs, values)).map(round)));
  }
  return values;
}

function runBackward(stages: readonly Stage[], values: Values): Values {
  const adjoints: Values = { L: 1 };
  for (const { inputs, outputs, backward } of stages.toReversed()) {
    Object.assign(adjoints, named(inputs, backward(pick(inputs, values), pick(outputs, adjoints))));
  }
  return adjoints;
}

/** Returns a stage for each backward function of the CPU reference, in the order of the forward pass. */
function stagesOf({ config, image }: Snapshot, pixel: Pixel, ownBlob: evaluation.Blob, behind: StackBlob[]): Stage[] {
  const { u, v, target } = pixel;
  const [model, attenuation] = [evaluation.modelOf(config, image), blending.attenuationOf(config.blend)];
  const weight = 1 / (image.width * image.height);
  const blobFrom = ([
    centerX,
    centerY,
    varianceX,
    varianceY,
    correlation,
    opacity,
  ]: readonly number[]): evaluation.Blob => ({
    ...{ ...ownBlob, centerX, centerY, varianceX, varianceY, correlation, opacity },
    perDeviationX: 1 / Math.sqrt(varianceX),
    perDeviationY: 1 / Math.sqrt(varianceY),
    stretch: 1 / (1 - correlation * correlation),
  });
  const blendInto = (state: blending.PixelState, blobs: readonly Pick<StackBlob, "blob" | "alpha">[]) => {
    for (const { blob, alpha } of blobs) blending.transformPixelState(state, blob, alpha, attenuation);
    return state;
  };
  return [
    {
      name: "Decoding",
      formula: "each value depends on its own θ only, so θ̄ is its adjoint times the slope of the decoding",
      inputs: thetas,
      outputs: symbols,
      forward: (x) => orderedValues(evaluation.decode(x, 0, model)),
      backward: (x, d) => orderedValues(evaluation.decode(x, 0, model).slope).map((slope, k) => slope * d[k]),
    },
    {
      name: "Alpha",
      formula: "α = o e^P, so ō = ᾱ e^P, and P̄ = α ᾱ goes to the centre, the variances and ρ",
      inputs: [...symbols.slice(0, 5), "o"],
      outputs: ["α"],
      forward: (x) => [evaluation.alphaOf(blobFrom(x), evaluation.evalFalloff(blobFrom(x), u, v))],
      backward(x, [d]) {
        const gradient = zeroGradient();
        evaluation.evalBackward(blobFrom(x), u, v, evaluation.evalFalloff(blobFrom(x), u, v), d, gradient);
        return [...orderedValues(gradient).slice(0, 5), gradient.opacity];
      },
    },
    {
      name: "Blend",
      formula: "C′ = C + α T c and T′ = T (1 − α), so c̄ = α T C̄′ and ᾱ = T (C̄′ · c − T̄′)",
      inputs: [...before, ...symbols.slice(5, 8), "α"],
      outputs: after,
      forward: (x) => numbersOf(blendInto(stateOf(x), [{ blob: colorFrom(x), alpha: x[7] }])),
      backward(x, d) {
        const [dState, gradient] = [stateOf(d), zeroGradient()];
        const dAlpha = blending.alphaBlendBackward(stateOf(x), colorFrom(x), x[7], attenuation, dState, gradient);
        return [...numbersOf(dState), ...orderedValues(gradient).slice(5, 8), dAlpha];
      },
    },
    {
      name: "Blobs behind",
      formula: `${behind.length} more, blended in the same way; the backward pass undoes them from the last`,
      inputs: after,
      outputs: last,
      forward: (x) => numbersOf(blendInto(stateOf(x), behind)),
      backward(x, d) {
        const [state, dState] = [blendInto(stateOf(x), behind), stateOf(d)];
        for (const [k, { blob, alpha }] of [...behind.entries()].toReversed()) {
          if (!blending.undoPixelState(state, k + 1, blob, alpha, attenuation)) continue;
          blending.alphaBlendBackward(state, blob, alpha, attenuation, dState, zeroGradient());
        }
        return numbersOf(dState);
      },
    },
    {
      name: "Loss",
      formula: "L = e² / (W H) with e = C″ (1 − T″) + T″ − q*, so C̄″ = 2 (1 − T″) e / (W H)",
      inputs: last,
      outputs: ["L"],
      forward: (x) => [weight * blending.lossBackward(stateOf(x), target, config.background, weight, newPixelState())],
      backward(x, [d]) {
        const dState = newPixelState();
        blending.lossBackward(stateOf(x), target, config.background, weight * d, dState);
        return numbersOf(dState);
      },
    },
  ];
}

const stepAt = (x: number) => 1e-5 * Math.max(Math.abs(x), 1e-3);

/** Compares the adjoints of a stage with central differences of its forward function: a row for each input. */
export function checkStage({ inputs, outputs, forward, backward }: Stage, { values, adjoints }: Sample) {
  const [x, d] = [pick(inputs, values), pick(outputs, adjoints)];
  const slopes = backward(x, d);
  // Tiny slopes are compared relative to the largest of the stage.
  const floor = 1e-3 * Math.max(...slopes.map(Math.abs));
  return inputs.map((name, k) => {
    const [low, high] = [-1, 1].map((sign) => x.with(k, x[k] + sign * stepAt(x[k])));
    const [below, above] = [forward(low), forward(high)];
    const rise = d.reduce((sum, dOutput, j) => sum + dOutput * (above[j] - below[j]), 0);
    const [adjoint, difference] = [slopes[k], rise / (high[k] - low[k])];
    const size = Math.max(Math.abs(adjoint), Math.abs(difference), floor);
    return { name, value: x[k], adjoint, difference, agrees: Math.abs(adjoint - difference) <= 1e-5 * size };
  });
}

/** Returns a row for each derivative of the stages that is not zero at the sample: its stage, input and output. */
export function flowOf({ stages, values }: Sample) {
  return stages.flatMap(({ inputs, outputs, forward }, stage) => {
    const x = pick(inputs, values);
    return inputs.flatMap((from, k) => {
      const moved = forward(x.with(k, x[k] + stepAt(x[k])));
      return outputs.filter((name, j) => moved[j] !== values[name]).map((to) => ({ stage, from, to }));
    });
  });
}

/** A function of one number, a place, and the slope there by the backward pass. */
export interface Curve {
  f(x: number, round?: (value: number) => number): number;
  at: number;
  slope: number;
}

/** Returns the pixel's loss along a raw parameter. */
export function lossAlong({ stages, start, adjoints }: Sample, field: number): Curve {
  const name = thetas[field];
  return {
    f: (x, round) => runForward(stages, { ...start, [name]: x }, round).L,
    at: start[name],
    slope: adjoints[name],
  };
}

/** Returns the output of a stage along input k. */
function outputAlong({ forward, backward }: Stage, x: number[], k: number): Curve {
  return { f: (value, round = exact) => round(forward(x.with(k, value))[0]), at: x[k], slope: backward(x, [1])[k] };
}

/** Places that are not smooth. */
export const kinkNames = ["α at its limit", "α at the edge of the support"];

/** Returns the curves at the places of `kinkNames`. */
export function kinksOf({ stages: [, alpha], values: { Σxx, Σyy }, u, v }: Sample): Map<string, Curve> {
  const x = [u, v, Σxx, Σyy, 0, evaluation.highestAlpha];
  // Just inside, despite rounding.
  const edge = u - (1 - 1e-9) * deviations * Math.sqrt(Σxx);
  const curves = [outputAlong(alpha, x, 5), outputAlong(alpha, x.with(0, edge), 0)];
  return new Map(curves.map((curve, k) => [kinkNames[k], curve]));
}

/** Returns the central difference of a curve. */
export function centralDifference({ f, at }: Curve, h: number, round = exact): number {
  return (f(at + h, round) - f(at - h, round)) / (at + h - (at - h));
}

/** Returns the error of a central difference, relative to the slope if that is not 0. */
export function differenceError(curve: Curve, h: number, round = exact): number {
  return Math.abs(centralDifference(curve, h, round) - curve.slope) / (Math.abs(curve.slope) || 1);
}
