import { parameterCount, parameterNames, rawNames } from "../../../engine/blobs.js";
import type { Composite } from "../../../engine/config.js";
import {
  alphaBlendBackward,
  attenuationOf,
  compositeChannel,
  lossBackward,
  lowestTransmittance,
  type PixelState,
  transformPixelState,
  undoPixelState,
} from "../../../engine/cpu/blend.js";
import {
  alphaOf,
  type Blob,
  type BlobValues,
  decode,
  evalBackward,
  evalFalloff,
  highestAlpha,
  modelOf,
  valueNames,
} from "../../../engine/cpu/blob.js";
import { deviations } from "../../../engine/cpu/bounds.js";
import { differentiate } from "../../../engine/cpu/rasterize.js";
import { newState, noGradient, onePixel, type StepSample } from "./stepSample.js";

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
  /** In words. */
  name: string;
  symbol: string;
  /** What it stands for, beyond this figure. */
  thing: string;
  /** Its adjoint. */
  formula: string;
  /** The length along which the stage changes as a whole: what a relative step is relative to. */
  unit: number;
  /** Of its slider. */
  low: number;
  high: number;
  /** Whether the stage is defined there, as the end of a sentence that begins with "must be"; always if absent. */
  must?: { hold: (value: number) => boolean; be: string };
}

/** A place at which the stage bends or jumps. */
export interface Kink {
  label: string;
  /** Which input is then looked at. */
  input: number;
  move: (x: readonly number[]) => number[];
  /** Half of what the chart then shows of the input, in its units; the whole range if absent. */
  closeUp?: number;
  /** What is to be seen there, and why it is left so. */
  words: string;
}

/** A stage at a place of a run: what it computes, and how it takes gradients back. */
export interface StageAdjoint {
  stage: AdjointStage;
  inputs: StageInput[];
  /** Symbols. */
  outputs: string[];
  /** Where it begins. */
  at: number[];
  /** dL/d(outputs) there. */
  incoming: number[];
  /** What stays as it is, in the order in which shaders/learn/adjoints.wgsl is given it. */
  held: number[];
  forward(x: readonly number[]): number[];
  /** dL/d(inputs), given dL/d(outputs), by the engine's own backward function. */
  backward(x: readonly number[], d: readonly number[]): number[];
  /** The same with a mistake in it that is easily made. */
  mistake: { what: string; backward(x: readonly number[], d: readonly number[]): number[] };
  kinks: Kink[];
}

/**
 * A stage at a sample.
 * @param composite for the stage that composites; the config's if absent
 */
export function adjointOf(stage: AdjointStage, sample: StepSample, composite = sample.config.composite): StageAdjoint {
  if (stage === "composite") return compositeStage(sample, composite);
  return stages[stage](sample);
}

const stages: Record<Exclude<AdjointStage, "composite">, (sample: StepSample) => StageAdjoint> = {
  decode: decodeStage,
  covariance: covarianceStage,
  falloff: falloffStage,
  blend: (sample) => blendStage(sample, "blend"),
  undo: (sample) => blendStage(sample, "undo"),
  loss: lossStage,
  chain: chainStage,
};

const positive = { hold: (value: number) => value > 0, be: "above 0" };
const symbols = ["µ_x", "µ_y", "Σ_xx", "Σ_yy", "ρ", "c_r", "c_g", "c_b", "o"];
const valueOrder = (values: BlobValues) => valueNames.map((name) => values[name]);

/** How each raw parameter's adjoint follows from that of its value. */
function slopeFormulas({ config }: StepSample): string[] {
  if (config.parameterization === "smoothstep") {
    const color = "0.8 S′(0.8 p)";
    const variance = "0.8 k S′(0.8 p)";
    return ["S′(p)", "S′(p)", variance, variance, "0.99 S′(0.6 p)", color, color, color, "0.9 S′(0.9 p + 0.1)"];
  }
  const [width, height] = ["W", "H"];
  const opacity = config.blend === "sum" ? "0" : "o (1 − o)";
  return [
    `1/${width}`,
    `1/${height}`,
    `2 e^2p^/${width}²`,
    `2 e^2p^/${height}²`,
    "0.999 (1 − tanh² p)",
    "1",
    "1",
    "1",
    opacity,
  ];
}

/** A value of the blob, or the raw parameter that decodes to it. */
function thingOf(field: number): string {
  return `parameter:${parameterNames[field]}`;
}

/** The raw parameters as inputs of a stage. */
function rawInputs(sample: StepSample, at: readonly number[]): StageInput[] {
  const formulas = slopeFormulas(sample);
  return rawNames(sample.config.parameterization).map((name, field) => {
    const isDirect = sample.config.parameterization === "direct";
    const isPixels = isDirect && field < 2;
    return {
      name,
      symbol: `p_${field}`,
      thing: thingOf(field),
      formula: `~${symbols[field]} · ${formulas[field]}`,
      unit: field < 2 ? rawDeviation(sample, field) : 1,
      low: isDirect ? at[field] - (isPixels ? 8 : 2) : -0.25,
      high: isDirect ? at[field] + (isPixels ? 8 : 2) : 1.75,
    };
  });
}

/** About how far a raw centre has to move for the blob to move by its standard deviation. */
function rawDeviation({ blob }: StepSample, field: number): number {
  const [perDeviation, slope] =
    field === 0 ? [blob.perDeviationX, blob.slope.centerX] : [blob.perDeviationY, blob.slope.centerY];
  return slope === 0 ? 0.05 : 1 / (perDeviation * Math.abs(slope));
}

function rawAt({ parameters, blobs, place }: StepSample): number[] {
  return Array.from({ length: parameterCount }, (_, field) => parameters[field * blobs.length + place]);
}

function decodeStage(sample: StepSample): StageAdjoint {
  const model = modelOf(sample.config, sample.image);
  const at = rawAt(sample);
  const isSmoothstep = sample.config.parameterization === "smoothstep";
  const slopes = (x: readonly number[]) => valueOrder(decode(x, 0, model).slope);
  const backward = (x: readonly number[], d: readonly number[]) => slopes(x).map((slope, k) => slope * d[k]);
  const frozen: Kink = {
    label: "A parameter beyond the end",
    input: 0,
    move: (x) => x.with(0, -0.05),
    words:
      "Below 0 the smoothstep is flat, so both say zero, and rightly: nothing that is done to this number changes the picture. But no gradient will ever bring it back either. The parameter is frozen, though the loss may want it elsewhere.",
  };
  return {
    stage: "decode",
    inputs: rawInputs(sample, at),
    outputs: symbols,
    at,
    incoming: valueOrder(sample.gradient),
    held: [],
    forward: (x) => valueOrder(decode(x, 0, model)),
    backward,
    mistake: isSmoothstep
      ? {
          what: "the factors inside S are forgotten",
          backward: (x, d) => backward(x, d).map((slope, k) => slope / [1, 1, 0.8, 0.8, 0.6, 0.8, 0.8, 0.8, 0.9][k]),
        }
      : {
          what: "the deviations count once, not squared",
          backward: (x, d) => backward(x, d).map((slope, k) => (k === 2 || k === 3 ? slope / 2 : slope)),
        },
    kinks: isSmoothstep ? [frozen] : [],
  };
}

/** The blob of a sample with some of its decoded values replaced. */
function blobWith(blob: Blob, values: Partial<BlobValues>): Blob {
  const { varianceX, varianceY, correlation } = { ...blob, ...values };
  return {
    ...blob,
    ...values,
    perDeviationX: 1 / Math.sqrt(varianceX),
    perDeviationY: 1 / Math.sqrt(varianceY),
    stretch: 1 / (1 - correlation * correlation),
  };
}

function covarianceStage({ blob, u, v, dAlpha, alpha }: StepSample): StageAdjoint {
  const at = [blob.varianceX, blob.varianceY, blob.correlation];
  // Half of the falloff is the α of a blob whose opacity is a half, and α is all that the engine takes back.
  const half = (x: readonly number[]) =>
    blobWith(blob, { varianceX: x[0], varianceY: x[1], correlation: x[2], opacity: 0.5 });
  const forward = (x: readonly number[]) => [evalFalloff(half(x), u, v)];
  const backward = (x: readonly number[], d: readonly number[]) => {
    const gradient = noGradient();
    evalBackward(half(x), u, v, forward(x)[0], 2 * d[0], gradient);
    return [gradient.varianceX, gradient.varianceY, gradient.correlation];
  };
  const variance = (symbol: string, axis: string, other: string, value: number): StageInput => ({
    name: `variance along ${axis}`,
    symbol,
    thing: thingOf(axis === "x" ? 2 : 3),
    formula: `½ s ${axis} (${axis} − ρ ${other}) g ~g / ${symbol}`,
    unit: value,
    low: value / 4,
    high: 3 * value,
    must: positive,
  });
  return {
    stage: "covariance",
    inputs: [
      variance("Σ_xx", "x", "y", at[0]),
      variance("Σ_yy", "y", "x", at[1]),
      {
        name: "correlation",
        symbol: "ρ",
        thing: thingOf(4),
        formula: "s (x y + 2 ρ P) g ~g",
        unit: 1,
        low: -0.95,
        high: 0.95,
        must: { hold: (value) => Math.abs(value) < 1, be: "between −1 and 1" },
      },
    ],
    outputs: ["g"],
    at,
    incoming: [(alpha < blob.ceiling ? blob.opacity : 0) * dAlpha],
    held: [blob.centerX, blob.centerY, u, v],
    forward,
    backward,
    mistake: {
      what: "the second term of ρ is forgotten",
      backward(x, d) {
        const [falloff] = forward(x);
        const right = backward(x, d);
        if (falloff === 0) return right;
        const { stretch, correlation } = half(x);
        return right.with(2, right[2] - 2 * d[0] * falloff * stretch * correlation * Math.log(falloff));
      },
    },
    kinks: [],
  };
}

function falloffStage({ blob, u, v, dAlpha }: StepSample): StageAdjoint {
  const at = [blob.centerX, blob.centerY, blob.opacity];
  const blobAt = (x: readonly number[]) => blobWith(blob, { centerX: x[0], centerY: x[1], opacity: x[2] });
  const backward = (x: readonly number[], d: readonly number[]) => {
    const gradient = noGradient();
    const moved = blobAt(x);
    const falloff = evalFalloff(moved, u, v);
    // The engine passes over blobs that the pixel is not on the support of.
    if (falloff > 0) evalBackward(moved, u, v, falloff, d[0], gradient);
    return [gradient.centerX, gradient.centerY, gradient.opacity];
  };
  const center = (axis: "x" | "y", value: number, pixel: number, perDeviation: number): StageInput => ({
    name: `centre, ${axis}`,
    symbol: `µ_${axis}`,
    thing: thingOf(axis === "x" ? 0 : 1),
    formula: axis === "x" ? "s (x − ρ y) α ~α / √Σ_xx" : "s (y − ρ x) α ~α / √Σ_yy",
    unit: 1 / perDeviation,
    low: Math.min(value, pixel - 5 / perDeviation),
    high: Math.max(value, pixel + 5 / perDeviation),
  });
  const ceiling: Kink = {
    label: "Onto the ceiling, α = 0.99",
    input: 2,
    closeUp: 0.1,
    move: () => [u, v, highestAlpha],
    words:
      "From here on more opacity changes nothing: α stays 0.99. To the left the slope is that of the formula, to the right it is 0; a central difference takes the mean of both, which is the slope on neither side. The adjoint says 0, the slope on the side of the ceiling. A blob pushed there stays until something pulls it down, and it has to be cut: the undo divides by 1 − α.",
  };
  const edge: Kink = {
    label: "Onto the support’s edge, power = −8",
    input: 0,
    closeUp: 0.1,
    move: (x) => [u - (deviations / blob.perDeviationX) * Math.sqrt(1 / blob.stretch), v, x[2]],
    words:
      "The support ends here, at four standard deviations, and α falls from o e⁻⁸ to 0 at once. A difference across the edge divides that jump by 2h, so the smaller h is, the wilder it gets. The adjoint knows the smooth part alone. To leave it so is right: the jump is at most 3.4 × 10⁻⁴ of the blob’s colour, and the edge is part of the model, so that forward and backward agree on who is in.",
  };
  return {
    stage: "falloff",
    inputs: [
      center("x", at[0], u, blob.perDeviationX),
      center("y", at[1], v, blob.perDeviationY),
      { name: "opacity", symbol: "o", thing: thingOf(8), formula: "g ~α", unit: 1, low: 0, high: 1 },
    ],
    outputs: ["α"],
    at,
    incoming: [dAlpha],
    held: [blob.varianceX, blob.varianceY, blob.correlation, u, v],
    forward: (x) => [alphaOf(blobAt(x), evalFalloff(blobAt(x), u, v))],
    backward,
    mistake: {
      what: "the centre has the wrong sign",
      backward: (x, d) => backward(x, d).map((slope, k) => (k < 2 ? -slope : slope)),
    },
    kinks: Number.isFinite(blob.ceiling) ? [ceiling, edge] : [edge],
  };
}

const channels = [
  ["r", "red"],
  ["g", "green"],
  ["b", "blue"],
] as const;

function stateFrom(x: readonly number[]): PixelState {
  return { red: x[0], green: x[1], blue: x[2], transmittance: x[3], finalCount: 0 };
}

const stateNumbers = ({ red, green, blue, transmittance }: PixelState) => [red, green, blue, transmittance];

function blendStage({ blob, alpha, before, dAfter, config }: StepSample, stage: "blend" | "undo"): StageAdjoint {
  const attenuation = attenuationOf(config.blend);
  const colorFrom = (x: readonly number[]) => ({ ...blob, red: x[4], green: x[5], blue: x[6] });
  const forward = (x: readonly number[]) => {
    const state = stateFrom(x);
    transformPixelState(state, colorFrom(x), x[7], attenuation);
    return stateNumbers(state);
  };
  const backwardFrom =
    (from: (x: readonly number[]) => PixelState | undefined) => (x: readonly number[], d: readonly number[]) => {
      const state = from(x);
      if (!state) return [...d, 0, 0, 0, 0];
      const dState = stateFrom(d);
      const gradient = noGradient();
      const dAlpha = alphaBlendBackward(state, colorFrom(x), x[7], attenuation, dState, gradient);
      return [...stateNumbers(dState), gradient.red, gradient.green, gradient.blue, dAlpha];
    };
  /** The state before the blob, kept or undone from the one behind it; undefined if the blob was not applied. */
  const kept = (x: readonly number[]) => (x[3] < lowestTransmittance ? undefined : stateFrom(x));
  const undone = (x: readonly number[]) => {
    const state = stateFrom(x);
    if (!transformPixelState(state, colorFrom(x), x[7], attenuation)) return undefined;
    undoPixelState(state, 1, colorFrom(x), x[7], attenuation);
    return state;
  };
  const behind = (x: readonly number[]) => kept(x) && stateFrom(forward(x));
  const right = backwardFrom(stage === "undo" ? undone : kept);
  const isOver = attenuation > 0;
  const inputs: StageInput[] = [
    ...channels.map(([channel, name]) => ({
      name: `${name} so far`,
      symbol: `C_${channel}`,
      thing: `state:C-${channel}`,
      formula: `~C_${channel}′`,
      unit: 1,
      low: 0,
      high: 1,
    })),
    {
      name: "transmittance",
      symbol: "T",
      thing: "state:T",
      formula: isOver ? "(1 − α) ~T′ + α (~C′ · c)" : "~T′ + α (~C′ · c)",
      unit: 1,
      low: 0,
      high: 1,
    },
    ...channels.map(([channel, name], k) => ({
      name: `the blob’s ${name}`,
      symbol: `c_${channel}`,
      thing: thingOf(5 + k),
      formula: `α T ~C_${channel}′`,
      unit: 1,
      low: 0,
      high: 1,
    })),
    {
      name: "the blob’s α",
      symbol: "α",
      thing: "alpha",
      formula: isOver ? "T (~C′ · c − ~T′)" : "T (~C′ · c)",
      unit: 1,
      low: 0,
      high: highestAlpha,
      ...(stage === "undo" && {
        must: { hold: (value: number) => value < 1, be: "below 1, or there is nothing to undo from" },
      }),
    },
  ];
  const stop: Kink = {
    label: "Onto the stop, T = 1/255",
    input: 3,
    closeUp: 0.001,
    move: (x) => x.with(3, lowestTransmittance),
    words:
      "A pixel takes a blob only while T ≥ 1/255. A little to the left the blob is not applied, here and to the right it is, so the result jumps by what the blob adds, which is at most 1/255 of its colour. The difference sees the jump; the adjoint goes the way that was gone. That is right: which blobs were applied is a choice, like an if in a program, and it has no slope.",
  };
  const ceiling: Kink = {
    label: "Almost opaque, α = 0.99",
    input: 7,
    move: (x) => x.with(7, highestAlpha).with(3, Math.max(x[3], 0.5)),
    words:
      "The undo divides by 1 − α = 0.01. The same number was multiplied by on the way there, so T comes back to a rounding or two, also in float32. But an error that T′ brings along from the blobs behind grows with it, up to a hundred times, and at α = 1 there would be T′ = 0 and nothing to divide: that is what the ceiling is for.",
  };
  return {
    stage,
    inputs,
    outputs: ["C_r′", "C_g′", "C_b′", "T′"],
    at: [...stateNumbers(before), blob.red, blob.green, blob.blue, alpha],
    incoming: stateNumbers(dAfter),
    held: [],
    forward,
    backward: right,
    mistake:
      stage === "undo" && isOver
        ? { what: "the state behind the blob is not undone", backward: backwardFrom(behind) }
        : {
            what: "T’s second term is forgotten",
            backward(x, d) {
              const slopes = right(x, d);
              return kept(x) ? slopes.with(3, (1 - attenuation * x[7]) * d[3]) : slopes;
            },
          },
    kinks: stage === "undo" ? (isOver ? [ceiling] : []) : [stop],
  };
}

function pixelInputs(formulas: [color: (channel: string) => string, transmittance: string]): StageInput[] {
  return [
    ...channels.map(([channel, name]) => ({
      name: `${name}, blended`,
      symbol: `C_${channel}`,
      thing: `state:C-${channel}`,
      formula: formulas[0](channel),
      unit: 1,
      low: 0,
      high: 1,
    })),
    { name: "transmittance", symbol: "T", thing: "state:T", formula: formulas[1], unit: 1, low: 0, high: 1 },
  ];
}

const compositeFormulas: Record<Composite, [(channel: string) => string, string]> = {
  seed: [(channel) => `(1 − T) ~q_${channel}`, "~q · (1 − C)"],
  white: [(channel) => `~q_${channel}`, "~q_r + ~q_g + ~q_b"],
  black: [(channel) => `~q_${channel}`, "0"],
};

function compositeStage({ last, target, weight, config }: StepSample, composite: Composite): StageAdjoint {
  const at = stateNumbers(last);
  const colors = (x: readonly number[], how = composite) => x.slice(0, 3).map((c) => compositeChannel(c, x[3], how));
  // The engine takes compositing and loss back in one: a target at a distance that is as d makes its error as d. Of the
  // order of 1, so that subtracting it costs no digits.
  const backwardAs = (how: Composite) => (x: readonly number[], d: readonly number[]) => {
    const gradient = newState();
    const size = Math.max(...d.map(Math.abs)) || 1;
    const wanted = colors(x, how).map((color, channel) => color - d[channel] / size);
    lossBackward(stateFrom(x), wanted, how, 0.5 * size, gradient);
    return stateNumbers(gradient);
  };
  const other = composite === "seed" ? "white" : "seed";
  return {
    stage: "composite",
    inputs: pixelInputs(compositeFormulas[composite]),
    outputs: ["q_r", "q_g", "q_b"],
    at,
    incoming: colors(at, config.composite).map((color, channel) => 2 * weight * (color - target[channel])),
    held: [],
    forward: (x) => colors(x),
    backward: backwardAs(composite),
    mistake: { what: `the adjoint is that of the ${other} composite`, backward: backwardAs(other) },
    kinks: [],
  };
}

function lossStage({ last, target, weight, config }: StepSample): StageAdjoint {
  const { composite } = config;
  const backward = (x: readonly number[], d: readonly number[]) => {
    const gradient = newState();
    lossBackward(stateFrom(x), target, composite, weight, gradient);
    return stateNumbers(gradient).map((slope) => slope * d[0]);
  };
  const [color, transmittance] = compositeFormulas[composite];
  const withError = (formula: string) => `2 w ${formula}`.replaceAll("~q", "e");
  return {
    stage: "loss",
    inputs: pixelInputs([
      (channel) => withError(color(channel)),
      composite === "white" ? "2 w (e_r + e_g + e_b)" : transmittance === "0" ? "0" : `2 w e · (1 − C)`,
    ]),
    outputs: ["L"],
    at: stateNumbers(last),
    incoming: [1],
    held: [...target],
    forward: (x) => [weight * lossBackward(stateFrom(x), target, composite, weight, newState())],
    backward,
    mistake: { what: "the 2 of the square is forgotten", backward: (x, d) => backward(x, d).map((slope) => slope / 2) },
    kinks: [],
  };
}

function chainStage(sample: StepSample): StageAdjoint {
  const { blobs, place, weight } = sample;
  const model = modelOf(sample.config, sample.image);
  const at = rawAt(sample);
  const passOver = (x: readonly number[]) => {
    const parameters = sample.parameters.slice();
    for (const [field, value] of x.entries()) parameters[field * blobs.length + place] = value;
    return differentiate(onePixel(sample, parameters));
  };
  const backward = (x: readonly number[], d: readonly number[]) => {
    const { gradients } = passOver(x);
    return x.map((_, field) => d[0] * gradients[field * blobs.length + place]);
  };
  return {
    stage: "chain",
    inputs: rawInputs(sample, at),
    outputs: ["L"],
    at,
    incoming: [1],
    held: [],
    forward: (x) => [weight * passOver(x).squaredError],
    backward,
    mistake: {
      what: "decoding is taken for the identity",
      backward(x, d) {
        const slopes = valueOrder(decode(x, 0, model).slope);
        return backward(x, d).map((slope, field) => (slopes[field] === 0 ? slope : slope / slopes[field]));
      },
    },
    kinks: [],
  };
}
