import {
  alphaBlendBackward,
  attenuationOf,
  lowestTransmittance,
  type PixelState,
  transformPixelState,
  undoPixelState,
} from "../../../engine/model/blend.js";
import { highestAlpha } from "../../../engine/model/blob.js";
import { channels, stateFrom, stateNumbers } from "./pixelAdjoints.js";
import { type Kink, type Stage, type StageInput, thingOf, unitInput } from "./stageAdjoint.js";
import { type StepSample, zeroGradient } from "./stepSample.js";

/** From the pixel before a blob to the pixel after it; the backward pass uses the cached state, or undoes the blend. */
export function blendStage({ blob, alpha, before, dAfter, config }: StepSample, stage: "blend" | "undo"): Stage {
  const attenuation = attenuationOf(config.blend);
  const colorFrom = (x: readonly number[]) => ({ ...blob, red: x[4], green: x[5], blue: x[6] });
  const forward = (x: readonly number[]) => {
    const state = stateFrom(x);
    transformPixelState(state, colorFrom(x), x[7], attenuation);
    return stateNumbers(state);
  };
  const backwardFrom =
    (stateOf: (x: readonly number[]) => PixelState | undefined) => (x: readonly number[], d: readonly number[]) => {
      const state = stateOf(x);
      if (!state) return [...d, 0, 0, 0, 0];
      const dState = stateFrom(d);
      const gradient = zeroGradient();
      const dAlpha = alphaBlendBackward(state, colorFrom(x), x[7], attenuation, dState, gradient);
      return [...stateNumbers(dState), gradient.red, gradient.green, gradient.blue, dAlpha];
    };
  /** The state before the blob, cached or undone; undefined if the blob was not applied. */
  const cachedState = (x: readonly number[]) => (x[3] < lowestTransmittance ? undefined : stateFrom(x));
  const undoneState = (x: readonly number[]) => {
    const state = stateFrom(x);
    if (!transformPixelState(state, colorFrom(x), x[7], attenuation)) return undefined;
    undoPixelState(state, 1, colorFrom(x), x[7], attenuation);
    return state;
  };
  const stateBehind = (x: readonly number[]) => cachedState(x) && stateFrom(forward(x));
  const correctBackward = backwardFrom(stage === "undo" ? undoneState : cachedState);
  const isOver = attenuation > 0;
  const inputs: StageInput[] = [
    ...channels.map(([c, name]) => unitInput(`${name} so far`, `C_${c}`, `state:C-${c}`, `~C_${c}′`)),
    unitInput("transmittance", "T", "state:T", isOver ? "(1 − α) ~T′ + α (~C′ · c)" : "~T′ + α (~C′ · c)"),
    ...channels.map(([c, name], k) => unitInput(`${name} of the blob`, `c_${c}`, thingOf(5 + k), `α T ~C_${c}′`)),
    {
      ...unitInput("α of the blob", "α", "alpha", isOver ? "T (~C′ · c − ~T′)" : "T (~C′ · c)"),
      high: highestAlpha,
      ...(stage === "undo" && {
        constraint: { allows: (value: number) => value < 1, text: "below 1, because the undo divides by 1 − α" },
      }),
    },
  ];
  const stop: Kink = {
    label: "At the stop, T = 1/255",
    input: 3,
    closeUp: 0.001,
    move: (x) => x.with(3, lowestTransmittance),
    explanation:
      "A pixel takes a blob only while T ≥ 1/255. A little to the left the blob is not applied, here and to the right it is, so the result jumps by what the blob adds, which is at most 1/255 of its colour. The difference sees the jump; the adjoint follows the branch that was taken. That is right: which blobs were applied is a branch, like an if in a program, and it has no slope.",
  };
  const ceiling: Kink = {
    label: "Almost opaque, α = 0.99",
    input: 7,
    move: (x) => x.with(7, highestAlpha).with(3, Math.max(x[3], 0.5)),
    explanation:
      "The undo divides by 1 − α = 0.01. The forward pass multiplied by the same number, so T is restored to a rounding or two, also in float32. But an error of T′ from the blobs behind grows up to a hundredfold, and at α = 1 the undo would divide 0 by 0: that is why α is limited.",
  };
  return {
    inputs,
    outputs: ["C_r′", "C_g′", "C_b′", "T′"],
    at: [...stateNumbers(before), blob.red, blob.green, blob.blue, alpha],
    incoming: stateNumbers(dAfter),
    forward,
    backward: correctBackward,
    mistake:
      stage === "undo" && isOver
        ? { description: "use the state behind the blob without the undo", backward: backwardFrom(stateBehind) }
        : {
            description: "omit the second term of T̄",
            backward(x, d) {
              const slopes = correctBackward(x, d);
              return cachedState(x) ? slopes.with(3, (1 - attenuation * x[7]) * d[3]) : slopes;
            },
          },
    kinks: stage === "undo" ? (isOver ? [ceiling] : []) : [stop],
  };
}
