import { parameterCount, rawNames } from "../../../engine/blobs.js";
import { decode, modelOf } from "../../../engine/cpu/blob.js";
import { differentiate } from "../../../engine/cpu/rasterize.js";
import { type Kink, type StageAdjoint, type StageInput, thingOf, valueOrder } from "./stageAdjoint.js";
import { onePixel, type StepSample } from "./stepSample.js";

const symbols = ["µ_x", "µ_y", "Σ_xx", "Σ_yy", "ρ", "c_r", "c_g", "c_b", "o"];

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

/** From raw parameters to values. */
export function decodeStage(sample: StepSample): StageAdjoint {
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

/** From raw parameters to the loss of the pixel. */
export function chainStage(sample: StepSample): StageAdjoint {
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
