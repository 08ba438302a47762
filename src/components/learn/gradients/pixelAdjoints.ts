import type { Background } from "../../../engine/config.js";
import { compositeChannel, lossBackward, type PixelState } from "../../../engine/model/blend.js";
import { newPixelState } from "../pixelStack.js";
import { type Stage, unitInput } from "./stageAdjoint.js";
import type { StepSample } from "./stepSample.js";

/** The colour channels by symbol and name. */
export const channels = [
  ["r", "red"],
  ["g", "green"],
  ["b", "blue"],
] as const;

/** Returns the state of a pixel with C and T. */
export function stateFrom(x: readonly number[]): PixelState {
  return { red: x[0], green: x[1], blue: x[2], transmittance: x[3], finalCount: 0 };
}

/** Returns C and T of a state. */
export const stateNumbers = ({ red, green, blue, transmittance }: PixelState) => [red, green, blue, transmittance];

const pixelInputs = (color: (channel: string) => string, transmittance: string) => [
  ...channels.map(([c, name]) => unitInput(`${name}, blended`, `C_${c}`, `state:C-${c}`, color(c))),
  unitInput("transmittance", "T", "state:T", transmittance),
];

const backgroundFormulas: Record<Background, [(channel: string) => string, string]> = {
  original: [(channel) => `(1 − T) ~q_${channel}`, "~q · (1 − C)"],
  white: [(channel) => `~q_${channel}`, "~q_r + ~q_g + ~q_b"],
  black: [(channel) => `~q_${channel}`, "0"],
};

/** From C and T to the colour. */
export function compositeStage({ last, target, weight, config }: StepSample, background: Background): Stage {
  const at = stateNumbers(last);
  const colors = (x: readonly number[], mode = background) => x.slice(0, 3).map((c) => compositeChannel(c, x[3], mode));
  // The engine has one backward function for compositing and loss. A target at a distance of d gives an error of d;
  // scaled to about 1, the subtraction loses no digits.
  const backwardFor = (mode: Background) => (x: readonly number[], d: readonly number[]) => {
    const gradient = newPixelState();
    const scale = Math.max(...d.map(Math.abs)) || 1;
    const targetColors = colors(x, mode).map((color, channel) => color - d[channel] / scale);
    lossBackward(stateFrom(x), targetColors, mode, 0.5 * scale, gradient);
    return stateNumbers(gradient);
  };
  const other = background === "original" ? "white" : "original";
  return {
    inputs: pixelInputs(...backgroundFormulas[background]),
    outputs: ["q_r", "q_g", "q_b"],
    at,
    incoming: colors(at, config.background).map((color, channel) => 2 * weight * (color - target[channel])),
    forward: (x) => colors(x),
    backward: backwardFor(background),
    mistake: {
      description: `use the adjoint of the background ${other}`,
      backward: backwardFor(other),
    },
  };
}

/** From C and T to the contribution of the pixel to the loss. */
export function lossStage({ last, target, weight, config }: StepSample): Stage {
  const { background } = config;
  const backward = (x: readonly number[], d: readonly number[]) => {
    const gradient = newPixelState();
    lossBackward(stateFrom(x), target, background, weight, gradient);
    return stateNumbers(gradient).map((slope) => slope * d[0]);
  };
  const [color, transmittance] = backgroundFormulas[background];
  const withError = (formula: string) => `2 ${formula} / (W H)`.replaceAll("~q", "e");
  return {
    inputs: pixelInputs(
      (channel) => withError(color(channel)),
      background === "white" ? "2 (e_r + e_g + e_b) / (W H)" : transmittance === "0" ? "0" : "2 e · (1 − C) / (W H)",
    ),
    outputs: ["L"],
    at: stateNumbers(last),
    incoming: [1],
    fixedInputs: [...target],
    forward: (x) => [weight * lossBackward(stateFrom(x), target, background, weight, newPixelState())],
    backward,
    mistake: {
      description: "omit the factor 2 of the square",
      backward: (x, d) => backward(x, d).map((slope) => slope / 2),
    },
  };
}
