/**
 * The nine raw parameters of a smoothstep blob, named by their decoded values, in the order of the buffers: parameter
 * f of blob i is at f·N + i.
 */
export const parameterNames = [
  "center_x",
  "center_y",
  "variance_x",
  "variance_y",
  "correlation",
  "red",
  "green",
  "blue",
  "opacity",
] as const;

/** The nine raw parameters of a direct blob. */
const directNames = [
  "center_x",
  "center_y",
  "log_deviation_x",
  "log_deviation_y",
  "artanh_correlation",
  "red",
  "green",
  "blue",
  "logit_opacity",
] as const;

/** How raw parameters become a blob. */
export const parameterizations = ["smoothstep", "direct"] as const;

export type Parameterization = (typeof parameterizations)[number];

/** Returns the names of a blob's nine raw parameters, in the order of the buffers. */
export function rawNames(parameterization: Parameterization): readonly string[] {
  return parameterization === "direct" ? directNames : parameterNames;
}

export const parameterCount = parameterNames.length;

/** The names of a blob's decoded values as columns of parameters.arrow. */
export const decodedNames: readonly string[] = [
  ...parameterNames.map((name) => `${name}_decoded`),
  "deviation_x_pixels",
  "deviation_y_pixels",
];

/** The parameter groups, and the indices of the raw parameters in each. */
export const parameterGroups = {
  center: [0, 1],
  variance: [2, 3],
  correlation: [4],
  color: [5, 6, 7],
  opacity: [8],
} as const;

export type ParameterGroup = keyof typeof parameterGroups;

/** Everything that training changes: the state from which a run resumes. */
export interface TrainingState {
  /** Steps done. */
  step: number;
  /** 9·N raw parameters, field-major. */
  parameters: Float32Array;
  /** Adam's m, like the parameters. */
  firstMoments: Float32Array;
  /** Adam's v, like the parameters. */
  secondMoments: Float32Array;
  /** Nonzero for each blob that does not learn; all learn if absent. Not stored in the files of a run. */
  frozen?: Uint8Array;
  /** State of early stopping, in a run that uses it. */
  plateau?: Plateau;
}

/** State of early stopping. */
export interface Plateau {
  /** PSNR in decibels at the last comparison. */
  psnr: number;
  /** The step at which the run and its schedule end, once the plateau was found. */
  end?: number;
}

/** Returns raw parameters as a state to render or train from, with moments of zero. */
export function stateOf(parameters: Float32Array, step = 0): TrainingState {
  const { length } = parameters;
  return { step, parameters, firstMoments: new Float32Array(length), secondMoments: new Float32Array(length) };
}
