import type { TrainConfig } from "../config.js";
import { highestCorrelation, lowestVariance } from "../model/blob.js";
import {
  type ParameterGroup,
  type Parameterization,
  parameterGroups,
  parameterNames,
  rawNames,
} from "../model/blobs.js";

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

const blob: ColumnNote = {
  unit: "1",
  range: "0 to N − 1",
  description: "Index of the blob. Blob 0 is in front",
};

type Note = [unit: string, range: string, description: string];

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

const toColumnNote = ([unit, range, description]: Note): ColumnNote => ({ unit, range, description });

const deviation = (axis: "x" | "y", size: string): ColumnNote => ({
  unit: "px",
  range: "above 0",
  description:
    `Standard deviation along ${axis} (not along an axis of the ellipse), in pixels of the trained image: ` +
    `√variance_${axis}_decoded × ${size}. With direct it is √(exp(2 log_deviation_${axis}) + ${lowestVariance})`,
});

/** Returns the notes of nine columns named after the raw parameters. */
function perParameter(
  parameterization: Parameterization,
  rename: (name: string) => string,
  note: (name: string, unit: string) => ColumnNote,
): ColumnNotes {
  const names = rawNames(parameterization);
  return Object.fromEntries(
    names.map((name, field) => [rename(name), note(name, rawNotes[parameterization][field][0])] as const),
  );
}

const inverseUnit = (unit: string, power = "") => (unit === "1" ? "1" : `1/(${unit})${power}`);

/** Returns the notes of parameters.arrow. */
export function parameterNotes({ parameterization }: Pick<TrainConfig, "parameterization">): ColumnNotes {
  const names = rawNames(parameterization);
  const ranges = decodedRanges[parameterization];
  return {
    blob,
    ...Object.fromEntries(names.map((name, field) => [name, toColumnNote(rawNotes[parameterization][field])])),
    ...Object.fromEntries(
      parameterNames.map((name, field) => {
        const [unit, description] = decodedNotes[field];
        return [`${name}_decoded`, { unit, range: ranges[field], description }];
      }),
    ),
    deviation_x_pixels: deviation("x", "image width"),
    deviation_y_pixels: deviation("y", "image height"),
  };
}

/** Returns the notes of gradients.arrow. */
export function gradientNotes({ parameterization }: Pick<TrainConfig, "parameterization">): ColumnNotes {
  return {
    step: {
      unit: "steps",
      range: "from 1",
      description: "Step of the backward pass. The gradient belongs to the parameters after step − 1 steps",
    },
    blob,
    ...perParameter(
      parameterization,
      (name) => name,
      (name, unit) => ({
        unit: inverseUnit(unit),
        range: "finite",
        description: `Derivative of the loss with respect to raw ${name}`,
      }),
    ),
  };
}

/** Names of columns of optimizer.arrow and metrics.arrow. */
export const firstMomentColumn = (name: string) => `first_moment_${name}`;
export const secondMomentColumn = (name: string) => `second_moment_${name}`;
export const gradientNormColumn = (group: string) => `gradient_norm_${group}`;
export const tileListColumn = (name: string) => `short_list_${name}`;

/** Returns the notes of optimizer.arrow. */
export function optimizerNotes({ parameterization }: Pick<TrainConfig, "parameterization">): ColumnNotes {
  return {
    blob,
    ...perParameter(parameterization, firstMomentColumn, (name, unit) => ({
      unit: inverseUnit(unit),
      range: "finite",
      description: `Adam's first moment m of raw ${name}, without bias correction`,
    })),
    ...perParameter(parameterization, secondMomentColumn, (name, unit) => ({
      unit: inverseUnit(unit, "²"),
      range: "from 0",
      description: `Adam's second moment v of raw ${name}, without bias correction`,
    })),
  };
}

/** Returns the notes of metrics.arrow. The column `region` exists if the image was fitted in regions. */
export function metricsNotes(): ColumnNotes {
  const norms = (Object.keys(parameterGroups) as ParameterGroup[]).map((group): [string, ColumnNote] => [
    gradientNormColumn(group),
    {
      unit: "1/raw unit",
      range: "from 0",
      description: `Euclidean norm of the gradient of all raw ${group} parameters`,
    },
  ]);
  return {
    step: { unit: "steps", range: "from 1", description: "Step that was measured" },
    seconds: { unit: "s", range: "from 0", description: "Training time up to this step, without pauses" },
    loss: {
      unit: "1",
      range: "from 0",
      description:
        "Squared error, summed over red, green and blue and averaged over pixels, at the parameters before the step",
    },
    psnr: {
      unit: "dB",
      range: "infinite for no error",
      description: "Training PSNR, −10 log₁₀(loss / 3): of unclamped colours, at the parameters before the step",
    },
    ...Object.fromEntries(norms),
    [tileListColumn("mean")]: { unit: "blobs", range: "from 0", description: "Mean length of the tile lists" },
    [tileListColumn("longest")]: { unit: "blobs", range: "from 0", description: "Length of the longest tile list" },
    [tileListColumn("overflowing")]: {
      unit: "tiles",
      range: "from 0",
      description: "Tiles with more blobs than the list capacity, which take several passes",
    },
    [tileListColumn("passes")]: { unit: "1", range: "from 1", description: "Most passes of any tile" },
    region: { unit: "1", range: "from 0", description: "Region that the step belongs to" },
  };
}

/** Returns the notes of sweep.arrow, without the swept fields. */
export function sweepNotes(): ColumnNotes {
  return {
    loss: { unit: "1", range: "from 0; NaN without a result", description: "Loss of the final render" },
    psnr: { unit: "dB", range: "NaN without a result", description: "PSNR of the final render" },
    seconds: { unit: "s", range: "from 0; NaN without a result", description: "Training time" },
    steps_per_second: { unit: "1/s", range: "from 0; NaN without a result", description: "Training speed" },
    step: { unit: "steps", range: "from 0", description: "Steps that the run has taken" },
    status: {
      unit: "text",
      range: "done, stopped, failed, refused",
      description: "Outcome of the run",
    },
    run: { unit: "text", range: "", description: "Name of the run's folder, empty if there is none" },
    sentence: { unit: "text", range: "", description: "Why the run failed or was refused, otherwise empty" },
  };
}

/** Returns the note of a swept field. */
export function sweptNote(field: keyof TrainConfig): ColumnNote {
  return { unit: "as configured", range: "the swept values", description: `${field} in the run's configuration` };
}
