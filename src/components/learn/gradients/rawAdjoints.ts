import { decode } from "../../../engine/model/blob.js";
import { parameterCount, rawNames } from "../../../engine/model/blobs.js";
import { differentiate } from "../../../engine/model/rasterize.js";
import { type Kink, orderedValues, type Stage, type StageInput, thingOf, unitInput } from "./stageAdjoint.js";
import type { StepSample } from "./stepSample.js";

const symbols = ["µ_x", "µ_y", "Σ_xx", "Σ_yy", "ρ", "c_r", "c_g", "c_b", "o"];

/** Returns the factor between the adjoints of each decoded value and its raw parameter, as a formula. */
function slopeFormulas({ config: { parameterization, blend } }: StepSample): string[] {
  if (parameterization === "smoothstep") {
    const [color, variance] = ["0.8 S′(0.8 θ)", "0.8 K S′(0.8 θ)"];
    return ["S′(θ)", "S′(θ)", variance, variance, "0.99 S′(0.6 θ)", color, color, color, "0.9 S′(0.9 θ + 0.1)"];
  }
  const opacity = blend === "sum" ? "0" : "o (1 − o)";
  return ["1/W", "1/H", "2 e^2θ^/W²", "2 e^2θ^/H²", "0.999 (1 − tanh² θ)", "1", "1", "1", opacity];
}

function rawInputs(sample: StepSample, at: readonly number[]): StageInput[] {
  const { parameterization } = sample.config;
  const formulas = slopeFormulas(sample);
  return rawNames(parameterization).map((name, field) => {
    const halfRange = field < 2 ? 8 : 2;
    const [low, high] = parameterization === "direct" ? [at[field] - halfRange, at[field] + halfRange] : [-0.25, 1.75];
    const input = unitInput(name, `θ_${field}`, thingOf(field), `~${symbols[field]} · ${formulas[field]}`);
    return { ...input, low, high, unit: field < 2 ? rawDeviation(sample, field) : 1 };
  });
}

/** Returns about how far a raw centre moves when the blob moves by one standard deviation. */
function rawDeviation({ blob }: StepSample, field: number): number {
  const [perDeviation, slope] =
    field === 0 ? [blob.perDeviationX, blob.slope.centerX] : [blob.perDeviationY, blob.slope.centerY];
  return slope === 0 ? 0.05 : 1 / (perDeviation * Math.abs(slope));
}

function rawAt({ part: { parameters, blobs }, place }: StepSample): number[] {
  return Array.from({ length: parameterCount }, (_, field) => parameters[field * blobs.length + place]);
}

/** From raw parameters to values. */
export function decodeStage(sample: StepSample): Stage {
  const { model } = sample;
  const at = rawAt(sample);
  const isSmoothstep = sample.config.parameterization === "smoothstep";
  const slopes = (x: readonly number[]) => orderedValues(decode(x, 0, model).slope);
  const backward = (x: readonly number[], d: readonly number[]) => slopes(x).map((slope, k) => slope * d[k]);
  const frozen: Kink = {
    label: "Beyond the end of the range",
    input: 0,
    move: (x) => x.with(0, -0.05),
    explanation:
      "Below 0 the smoothstep is flat, so both are zero, correctly: a small change of this number does not change the image. But no gradient will ever move it back. The parameter is frozen, even if another value would lower the loss.",
  };
  return {
    inputs: rawInputs(sample, at),
    outputs: symbols,
    at,
    incoming: orderedValues(sample.gradient),
    forward: (x) => orderedValues(decode(x, 0, model)),
    backward,
    mistake: isSmoothstep
      ? {
          description: "omit the factors inside S",
          backward: (x, d) => backward(x, d).map((slope, k) => slope / [1, 1, 0.8, 0.8, 0.6, 0.8, 0.8, 0.8, 0.9][k]),
        }
      : {
          description: "treat variances as deviations",
          backward: (x, d) => backward(x, d).map((slope, k) => (k === 2 || k === 3 ? slope / 2 : slope)),
        },
    kinks: isSmoothstep ? [frozen] : [],
  };
}

/** From raw parameters to the loss of the pixel. */
export function chainStage(sample: StepSample): Stage {
  const { part, place, weight, model } = sample;
  const slot = (field: number) => field * part.blobs.length + place;
  const at = rawAt(sample);
  const evaluatePixel = (x: readonly number[]) => {
    // The steps of a difference are below the precision of float32.
    const parameters = Float64Array.from(part.parameters);
    for (const [field, value] of x.entries()) parameters[slot(field)] = value;
    return differentiate({ ...part, parameters });
  };
  const backward = (x: readonly number[], d: readonly number[]) => {
    const { gradients } = evaluatePixel(x);
    return x.map((_, field) => d[0] * gradients[slot(field)]);
  };
  return {
    inputs: rawInputs(sample, at),
    outputs: ["L"],
    at,
    incoming: [1],
    forward: (x) => [weight * evaluatePixel(x).squaredError],
    backward,
    mistake: {
      description: "treat decoding as the identity",
      backward(x, d) {
        const slopes = orderedValues(decode(x, 0, model).slope);
        return backward(x, d).map((slope, field) => (slopes[field] === 0 ? slope : slope / slopes[field]));
      },
    },
  };
}
