import {
  alphaOf,
  type Blob,
  type BlobValues,
  evalBackward,
  evalFalloff,
  highestAlpha,
} from "../../../engine/model/blob.js";
import { deviations } from "../../../engine/model/bounds.js";
import { type Kink, type Stage, type StageInput, thingOf, unitInput } from "./stageAdjoint.js";
import { type StepSample, zeroGradient } from "./stepSample.js";

const positive = { allows: (value: number) => value > 0, text: "above 0" };

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

/** From variances and correlation to the falloff at the pixel. */
export function covarianceStage({ blob, u, v, dAlpha, alpha }: StepSample): Stage {
  const at = [blob.varianceX, blob.varianceY, blob.correlation];
  // The engine's backward function starts from α. With an opacity of a half, α is half of the falloff.
  const withHalfOpacity = (x: readonly number[]) =>
    blobWith(blob, { varianceX: x[0], varianceY: x[1], correlation: x[2], opacity: 0.5 });
  const forward = (x: readonly number[]) => [evalFalloff(withHalfOpacity(x), u, v)];
  const backward = (x: readonly number[], d: readonly number[]) => {
    const gradient = zeroGradient();
    evalBackward(withHalfOpacity(x), u, v, forward(x)[0], 2 * d[0], gradient);
    return [gradient.varianceX, gradient.varianceY, gradient.correlation];
  };
  const variance = (symbol: string, axis: string, other: string, value: number): StageInput => ({
    name: `variance along ${axis}`,
    symbol,
    thing: thingOf(axis === "x" ? 2 : 3),
    formula: `½ s ${axis} (${axis} − ρ ${other}) G ~G / ${symbol}`,
    unit: value,
    low: value / 4,
    high: 3 * value,
    constraint: positive,
  });
  return {
    inputs: [
      variance("Σ_xx", "x", "y", at[0]),
      variance("Σ_yy", "y", "x", at[1]),
      {
        ...unitInput("correlation", "ρ", thingOf(4), "s (x y + 2 ρ P) G ~G"),
        low: -0.95,
        high: 0.95,
        constraint: { allows: (value) => Math.abs(value) < 1, text: "between −1 and 1" },
      },
    ],
    outputs: ["G"],
    at,
    incoming: [(alpha < blob.ceiling ? blob.opacity : 0) * dAlpha],
    fixedInputs: [blob.centerX, blob.centerY, u, v],
    forward,
    backward,
    mistake: {
      description: "omit the second term of ρ̄",
      backward(x, d) {
        const [falloff] = forward(x);
        const correct = backward(x, d);
        if (falloff === 0) return correct;
        const { stretch, correlation } = withHalfOpacity(x);
        return correct.with(2, correct[2] - 2 * d[0] * falloff * stretch * correlation * Math.log(falloff));
      },
    },
  };
}

/** From centre and opacity to α at the pixel. */
export function falloffStage({ blob, u, v, dAlpha }: StepSample): Stage {
  const at = [blob.centerX, blob.centerY, blob.opacity];
  const blobAt = (x: readonly number[]) => blobWith(blob, { centerX: x[0], centerY: x[1], opacity: x[2] });
  const backward = (x: readonly number[], d: readonly number[]) => {
    const gradient = zeroGradient();
    const moved = blobAt(x);
    const falloff = evalFalloff(moved, u, v);
    // The engine skips pixels outside of the support.
    if (falloff > 0) evalBackward(moved, u, v, falloff, d[0], gradient);
    return [gradient.centerX, gradient.centerY, gradient.opacity];
  };
  const center = (axis: "x" | "y", value: number, pixel: number, perDeviation: number): StageInput => ({
    name: `${axis} of the centre`,
    symbol: `µ_${axis}`,
    thing: thingOf(axis === "x" ? 0 : 1),
    formula: axis === "x" ? "s (x − ρ y) α ~α / √Σ_xx" : "s (y − ρ x) α ~α / √Σ_yy",
    unit: 1 / perDeviation,
    low: Math.min(value, pixel - 5 / perDeviation),
    high: Math.max(value, pixel + 5 / perDeviation),
  });
  const ceiling: Kink = {
    label: "At the limit, α = 0.99",
    input: 2,
    closeUp: 0.1,
    move: () => [u, v, highestAlpha],
    explanation:
      "Beyond this point more opacity changes nothing: α stays 0.99, since the undo divides by 1 − α. To the left the slope is that of the formula, to the right it is 0. A central difference takes the mean of both, which is the slope of neither side. The adjoint is 0, the slope on the side of the limit.",
  };
  const edge: Kink = {
    label: "At the edge of the support, power = −8",
    input: 0,
    closeUp: 0.1,
    // Just inside, despite rounding.
    move: (x) => [u - ((1 - 1e-9) * deviations * Math.sqrt(1 / blob.stretch)) / blob.perDeviationX, v, x[2]],
    explanation:
      "The support ends here, and α falls from o e⁻⁸ to 0 at once. A difference across the edge divides that jump by 2h, so it grows as h shrinks. The adjoint contains only the smooth part: both passes agree on which blobs contribute.",
  };
  return {
    inputs: [
      center("x", at[0], u, blob.perDeviationX),
      center("y", at[1], v, blob.perDeviationY),
      unitInput("opacity", "o", thingOf(8), "G ~α"),
    ],
    outputs: ["α"],
    at,
    incoming: [dAlpha],
    fixedInputs: [blob.varianceX, blob.varianceY, blob.correlation, u, v],
    forward: (x) => [alphaOf(blobAt(x), evalFalloff(blobAt(x), u, v))],
    backward,
    mistake: {
      description: "wrong sign of the centre",
      backward: (x, d) => backward(x, d).map((slope, k) => (k < 2 ? -slope : slope)),
    },
    kinks: Number.isFinite(blob.ceiling) ? [ceiling, edge] : [edge],
  };
}
