import type { TrainConfig } from "../config.js";
import { lowestVariance } from "../model/blob.js";
import { type Parameterization, parameterGroups, parameterNames, rawNames } from "../model/blobs.js";

/** The description of a column, which Arrow files carry as metadata of the field. The unit is "1" if there is none. */
type Note = readonly [unit: string, description: string];

/** The columns of a table, in order. */
export type ColumnNotes = Record<string, Note>;

const blob: Note = ["1", "Index of the blob. Blob 0 is in front"];

/** The raw parameters, in the order of the buffers. */
const rawNotes: Record<Parameterization, readonly Note[]> = {
  smoothstep: [
    ["1", "Raw parameter of the horizontal centre"],
    ["1", "Raw parameter of the vertical centre"],
    ["1", "Raw parameter of the horizontal variance"],
    ["1", "Raw parameter of the vertical variance"],
    ["1", "Raw parameter of the correlation"],
    ["1", "Raw parameter of red"],
    ["1", "Raw parameter of green"],
    ["1", "Raw parameter of blue"],
    ["1", "Raw parameter of the opacity"],
  ],
  direct: [
    ["px", "Horizontal centre, from the left edge of the image"],
    ["px", "Vertical centre, from the top edge of the image"],
    ["ln px", "Natural logarithm of the horizontal standard deviation"],
    ["ln px", "Natural logarithm of the vertical standard deviation"],
    ["1", "Inverse hyperbolic tangent of the correlation"],
    ["1", "Red; from 0 to 1 in the target"],
    ["1", "Green; from 0 to 1 in the target"],
    ["1", "Blue; from 0 to 1 in the target"],
    ["1", "Logit of the opacity; without effect where blend is sum"],
  ],
};

const decodedNotes: readonly Note[] = [
  ["image widths", "Horizontal centre, from the left edge of the image"],
  ["image heights", "Vertical centre, from the top edge of the image"],
  ["image widths²", "Horizontal variance; see deviation_x_pixels for pixels"],
  ["image heights²", "Vertical variance; see deviation_y_pixels for pixels"],
  ["1", "Correlation of x and y; the covariance is this times both standard deviations"],
  ["1", "Red; from 0 to 1 in the target"],
  ["1", "Green; from 0 to 1 in the target"],
  ["1", "Blue; from 0 to 1 in the target"],
  ["1", "Opacity at the centre"],
];

function deviation(axis: "x" | "y", size: string): Note {
  const description =
    `Standard deviation along ${axis} (not along an axis of the ellipse), in pixels of the trained image: ` +
    `√variance_${axis}_decoded × ${size}. With direct it is √(exp(2 log_deviation_${axis}) + ${lowestVariance})`;
  return ["px", description];
}

type Parameterized = Pick<TrainConfig, "parameterization">;

/** Returns the notes of nine columns named after the raw parameters. */
function perParameter(
  { parameterization }: Parameterized,
  note: (name: string, unit: string, field: number) => [column: string, note: Note],
): ColumnNotes {
  const notes = rawNotes[parameterization];
  return Object.fromEntries(rawNames(parameterization).map((name, field) => note(name, notes[field][0], field)));
}

const inverseUnit = (unit: string, power = "") => (unit === "1" ? "1" : `1/(${unit})${power}`);

/** Returns the notes of parameters.arrow. */
export function parameterNotes(config: Parameterized): ColumnNotes {
  const decoded = parameterNames.map((name, field) => [`${name}_decoded`, decodedNotes[field]]);
  return {
    blob,
    ...perParameter(config, (name, _, field) => [name, rawNotes[config.parameterization][field]]),
    ...Object.fromEntries(decoded),
    deviation_x_pixels: deviation("x", "image width"),
    deviation_y_pixels: deviation("y", "image height"),
  };
}

/** Returns the notes of gradients.arrow. */
export function gradientNotes(config: Parameterized): ColumnNotes {
  const step = "Step of the backward pass. The gradient belongs to the parameters after step − 1 steps";
  return {
    step: ["steps", step],
    blob,
    ...perParameter(config, (name, unit) => [
      name,
      [inverseUnit(unit), `Derivative of the loss with respect to raw ${name}`],
    ]),
  };
}

/** Names of columns of optimizer.arrow and metrics.arrow. */
export const firstMomentColumn = (name: string) => `first_moment_${name}`;
export const secondMomentColumn = (name: string) => `second_moment_${name}`;
export const gradientNormColumn = (group: string) => `gradient_norm_${group}`;
export const tileListColumn = (name: string) => `short_list_${name}`;

/** Returns the notes of optimizer.arrow. */
export function optimizerNotes(config: Parameterized): ColumnNotes {
  return {
    blob,
    ...perParameter(config, (name, unit) => [
      firstMomentColumn(name),
      [inverseUnit(unit), `Adam's first moment m of raw ${name}, without bias correction`],
    ]),
    ...perParameter(config, (name, unit) => [
      secondMomentColumn(name),
      [inverseUnit(unit, "²"), `Adam's second moment v of raw ${name}, without bias correction`],
    ]),
  };
}

const lossDescription =
  "Squared error, summed over red, green and blue and averaged over pixels, at the parameters before the step";
const psnrDescription = "Training PSNR, −10 log₁₀(loss / 3): of unclamped colours, at the parameters before the step";

/** Returns the notes of metrics.arrow. The column `region` exists if the image was fitted in regions. */
export function metricsNotes(): ColumnNotes {
  const norms = Object.keys(parameterGroups).map((group) => [
    gradientNormColumn(group),
    ["1/raw unit", `Euclidean norm of the gradient of all raw ${group} parameters`],
  ]);
  return {
    step: ["steps", "Step that was measured"],
    seconds: ["s", "Training time up to this step, without pauses"],
    loss: ["1", lossDescription],
    psnr: ["dB", psnrDescription],
    ...Object.fromEntries(norms),
    [tileListColumn("mean")]: ["blobs", "Mean length of the tile lists"],
    [tileListColumn("longest")]: ["blobs", "Length of the longest tile list"],
    [tileListColumn("overflowing")]: [
      "tiles",
      "Tiles with more blobs than the list capacity, which take several passes",
    ],
    [tileListColumn("passes")]: ["1", "Most passes of any tile"],
    region: ["1", "Region that the step belongs to"],
  };
}

/**
 * Returns the notes of sweep.arrow.
 * @param swept names of the columns of swept fields, and these fields
 */
export function sweepNotes(swept: readonly (readonly [column: string, field: keyof TrainConfig])[] = []): ColumnNotes {
  const sweptNotes = swept.map(([column, field]) => [column, ["as configured", `${field} in the run's configuration`]]);
  return {
    loss: ["1", "Loss of the final render"],
    psnr: ["dB", "PSNR of the final render"],
    seconds: ["s", "Training time"],
    steps_per_second: ["1/s", "Training speed"],
    step: ["steps", "Steps that the run has taken"],
    status: ["text", "Outcome of the run"],
    run: ["text", "Name of the run's folder, empty if there is none"],
    sentence: ["text", "Why the run failed or was refused, otherwise empty"],
    ...Object.fromEntries(sweptNotes),
  };
}
