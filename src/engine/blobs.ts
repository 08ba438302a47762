/** The nine raw parameters of a blob, in the order of the buffers: parameter f of blob i is at f·N + i. */
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

export const parameterCount = parameterNames.length;

/** The groups in which gradient norms are reported, and the parameters of each. */
export const parameterGroups = {
  center: [0, 1],
  variance: [2, 3],
  correlation: [4],
  color: [5, 6, 7],
  opacity: [8],
} as const;

export type ParameterGroup = keyof typeof parameterGroups;

/** All that training changes, on the CPU: what a run is resumed from. */
export interface TrainingState {
  /** Steps done. */
  step: number;
  /** 9·N raw parameters, field-major. */
  parameters: Float32Array;
  /** Adam's m, like the parameters. */
  firstMoments: Float32Array;
  /** Adam's v, like the parameters. */
  secondMoments: Float32Array;
}

/** The state before the first step: raw parameters uniform in [0, 1), the same for a seed on every host. */
export function initialState(config: { blobs: number; seed: number }): TrainingState {
  const slots = parameterCount * config.blobs;
  const random = uniformGenerator(config.seed);
  const parameters = new Float32Array(slots);
  for (let blob = 0; blob < config.blobs; blob++) {
    for (let field = 0; field < parameterCount; field++) parameters[field * config.blobs + blob] = random();
  }
  return { step: 0, parameters, firstMoments: new Float32Array(slots), secondMoments: new Float32Array(slots) };
}

/** A generator of numbers in [0, 1) that float32 holds exactly: mulberry32 (Tommy Ettinger), top 24 bits. */
export function uniformGenerator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 8) / 2 ** 24;
  };
}
