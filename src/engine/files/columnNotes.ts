import type { TrainConfig } from "../config.js";
import { highestCorrelation, lowestVariance } from "../model/blob.js";
import { type Parameterization, parameterGroups, parameterNames, rawNames } from "../model/blobs.js";

/** The description of a column. Arrow files carry unit and description as metadata of the field. */
export interface ColumnNote {
  /** "1" for dimensionless values. */
  unit: string;
  /** The values that occur. */
  range: string;
  description: string;
}

/** The columns of a table, in order. */
export type ColumnNotes = Record<string, ColumnNote>;

type Note = [unit: string, range: string, description: string];

const blob: Note = ["1", "0 to N − 1", "Index of the blob. Blob 0 is in front"];

/** The raw parameters, in the order of the buffers. */
const rawNotes: Record<Parameterization, readonly Note[]> = {
  smoothstep: [
    ["1", "finite; decoding clamps it to 0 to 1", "Raw parameter of the horizontal centre"],
    ["1", "finite; decoding clamps it to 0 to 1", "Raw parameter of the vertical centre"],
    ["1", "finite; decoding clamps it to 0 to 1.25", "Raw parameter of the horizontal variance"],
    ["1", "finite; decoding clamps it to 0 to 1.25", "Raw parameter of the vertical variance"],
    ["1", "finite; decoding clamps it to 0 to 1.67", "Raw parameter of the correlation"],
    ["1", "finite; decoding clamps it to 0 to 1.25", "Raw parameter of red"],
    ["1", "finite; decoding clamps it to 0 to 1.25", "Raw parameter of green"],
    ["1", "finite; decoding clamps it to 0 to 1.25", "Raw parameter of blue"],
    ["1", "finite; decoding clamps it to −0.11 to 1", "Raw parameter of the opacity"],
  ],
  direct: [
    ["px", "finite", "Horizontal centre, from the left edge of the image"],
    ["px", "finite", "Vertical centre, from the top edge of the image"],
    ["ln px", "finite", "Natural logarithm of the horizontal standard deviation"],
    ["ln px", "finite", "Natural logarithm of the vertical standard deviation"],
    ["1", "finite", "Inverse hyperbolic tangent of the correlation"],
    ["1", "finite", "Red; from 0 to 1 in the target"],
    ["1", "finite", "Green; from 0 to 1 in the target"],
    ["1", "finite", "Blue; from 0 to 1 in the target"],
    ["1", "finite", "Logit of the opacity; without effect where blend is sum"],
  ],
};

const scaledRange = "0.005 to 1.005 times covarianceScale";
const aboveLowestVariance = `above (${Math.sqrt(lowestVariance)} px)²`;

/** The ranges of the decoded values, in the order of the buffers. */
const decodedRanges: Record<Parameterization, readonly string[]> = {
  smoothstep: ["0 to 1", "0 to 1", scaledRange, scaledRange, "−0.825 to 0.825", "0 to 1", "0 to 1", "0 to 1", "0 to 1"],
  direct: [
    "finite",
    "finite",
    aboveLowestVariance,
    aboveLowestVariance,
    `−${highestCorrelation} to ${highestCorrelation}`,
    "finite",
    "finite",
    "finite",
    "0 to 1; 1 where blend is sum",
  ],
};

const decodedNotes: readonly [unit: string, description: string][] = [
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
  return ["px", "above 0", description];
}

function columnNotes(notes: Record<string, Note>): ColumnNotes {
  const entries = Object.entries(notes).map(([name, [unit, range, description]]) => [
    name,
    { unit, range, description },
  ]);
  return Object.fromEntries(entries);
}

type Parameterized = Pick<TrainConfig, "parameterization">;

/** Returns the notes of nine columns named after the raw parameters. */
function perParameter(
  { parameterization }: Parameterized,
  note: (name: string, unit: string, field: number) => [column: string, note: Note],
): Record<string, Note> {
  const notes = rawNotes[parameterization];
  return Object.fromEntries(rawNames(parameterization).map((name, field) => note(name, notes[field][0], field)));
}

const inverseUnit = (unit: string, power = "") => (unit === "1" ? "1" : `1/(${unit})${power}`);

/** Returns the notes of parameters.arrow. */
export function parameterNotes(config: Parameterized): ColumnNotes {
  const ranges = decodedRanges[config.parameterization];
  const decoded = parameterNames.map((name, field): [string, Note] => {
    const [unit, description] = decodedNotes[field];
    return [`${name}_decoded`, [unit, ranges[field], description]];
  });
  return columnNotes({
    blob,
    ...perParameter(config, (name, _, field) => [name, rawNotes[config.parameterization][field]]),
    ...Object.fromEntries(decoded),
    deviation_x_pixels: deviation("x", "image width"),
    deviation_y_pixels: deviation("y", "image height"),
  });
}

/** Returns the notes of gradients.arrow. */
export function gradientNotes(config: Parameterized): ColumnNotes {
  const step = "Step of the backward pass. The gradient belongs to the parameters after step − 1 steps";
  return columnNotes({
    step: ["steps", "from 1", step],
    blob,
    ...perParameter(config, (name, unit) => [
      name,
      [inverseUnit(unit), "finite", `Derivative of the loss with respect to raw ${name}`],
    ]),
  });
}

/** Names of columns of optimizer.arrow and metrics.arrow. */
export const firstMomentColumn = (name: string) => `first_moment_${name}`;
export const secondMomentColumn = (name: string) => `second_moment_${name}`;
export const gradientNormColumn = (group: string) => `gradient_norm_${group}`;
export const tileListColumn = (name: string) => `short_list_${name}`;

/** Returns the notes of optimizer.arrow. */
export function optimizerNotes(config: Parameterized): ColumnNotes {
  return columnNotes({
    blob,
    ...perParameter(config, (name, unit) => [
      firstMomentColumn(name),
      [inverseUnit(unit), "finite", `Adam's first moment m of raw ${name}, without bias correction`],
    ]),
    ...perParameter(config, (name, unit) => [
      secondMomentColumn(name),
      [inverseUnit(unit, "²"), "from 0", `Adam's second moment v of raw ${name}, without bias correction`],
    ]),
  });
}

const lossDescription =
  "Squared error, summed over red, green and blue and averaged over pixels, at the parameters before the step";
const psnrDescription = "Training PSNR, −10 log₁₀(loss / 3): of unclamped colours, at the parameters before the step";

/** Returns the notes of metrics.arrow. The column `region` exists if the image was fitted in regions. */
export function metricsNotes(): ColumnNotes {
  const norms = Object.keys(parameterGroups).map((group): [string, Note] => [
    gradientNormColumn(group),
    ["1/raw unit", "from 0", `Euclidean norm of the gradient of all raw ${group} parameters`],
  ]);
  return columnNotes({
    step: ["steps", "from 1", "Step that was measured"],
    seconds: ["s", "from 0", "Training time up to this step, without pauses"],
    loss: ["1", "from 0", lossDescription],
    psnr: ["dB", "infinite for no error", psnrDescription],
    ...Object.fromEntries(norms),
    [tileListColumn("mean")]: ["blobs", "from 0", "Mean length of the tile lists"],
    [tileListColumn("longest")]: ["blobs", "from 0", "Length of the longest tile list"],
    [tileListColumn("overflowing")]: [
      "tiles",
      "from 0",
      "Tiles with more blobs than the list capacity, which take several passes",
    ],
    [tileListColumn("passes")]: ["1", "from 1", "Most passes of any tile"],
    region: ["1", "from 0", "Region that the step belongs to"],
  });
}

/**
 * Returns the notes of sweep.arrow.
 * @param swept names of the columns of swept fields, and these fields
 */
export function sweepNotes(swept: readonly (readonly [column: string, field: keyof TrainConfig])[] = []): ColumnNotes {
  const sweptNotes = swept.map(([column, field]): [string, Note] => [
    column,
    ["as configured", "the swept values", `${field} in the run's configuration`],
  ]);
  return columnNotes({
    loss: ["1", "from 0; NaN without a result", "Loss of the final render"],
    psnr: ["dB", "NaN without a result", "PSNR of the final render"],
    seconds: ["s", "from 0; NaN without a result", "Training time"],
    steps_per_second: ["1/s", "from 0; NaN without a result", "Training speed"],
    step: ["steps", "from 0", "Steps that the run has taken"],
    status: ["text", "done, stopped, failed, refused", "Outcome of the run"],
    run: ["text", "", "Name of the run's folder, empty if there is none"],
    sentence: ["text", "", "Why the run failed or was refused, otherwise empty"],
    ...Object.fromEntries(sweptNotes),
  });
}
