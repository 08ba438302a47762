// The models of the chapter adam.md, as tables: the engine's Adam on one parameter, and races on the snapshot's job.
import type { Snapshot } from "../components/learn/snapshotFile.js";
import type { BiasCorrection } from "../engine/config.js";
import { adamConstants, corrections, updateBlobs } from "../engine/model/adam.js";
import { decode, modelOf, valueNames } from "../engine/model/blob.js";
import { parameterCount } from "../engine/model/blobs.js";
import type { Backend } from "../engine/pipeline.js";
import { uniformGenerator } from "../engine/random.js";
import { initialState } from "../engine/training/initialState.js";

export { adamExercise } from "../components/learn/exercises/adam.js";

/** Returns the gradient of one parameter at a step, counted from 1. */
type GradientAt = (theta: number, step: number) => number;

const { beta1, beta2 } = adamConstants;
const random = uniformGenerator(1);
const noise = Float64Array.from({ length: 1000 }, () => 2 * random() - 1);

/** Gradients of one parameter over so many steps, by name; at most about 1. */
export const gradientSources = new Map<string, (steps: number) => GradientAt>([
  ["a parabola", () => (theta) => theta - 0.7],
  ["steady", () => () => 1],
  ["alternating", () => (_, step) => (-1) ** step],
  ["noise", () => (_, step) => noise[(step - 1) % noise.length]],
  ["a spike", (steps) => (_, step) => Number(step === Math.ceil(steps / 2))],
  // Reaches the bound of `longestStep` at the last step.
  ["worst case", (steps) => (_, step) => (beta1 / beta2) ** (steps - step)],
]);

/**
 * Trains one parameter with the engine's Adam. Returns a row for each step: the gradient, both corrected means (`size` is
 * the root of that of the squares), the step that it takes (`move`), and the parameter after it.
 */
export function recordAdam(
  gradientAt: GradientAt,
  steps: number,
  correction: BiasCorrection,
  rate: number,
  start = 0.1,
) {
  const [theta, m, v] = [Float64Array.of(start), new Float64Array(1), new Float64Array(1)];
  return Array.from({ length: steps }, (_, index) => {
    const step = index + 1;
    const [before, gradient] = [theta[0], gradientAt(theta[0], step)];
    const divisors = corrections(correction, step);
    updateBlobs(theta, m, v, Float64Array.of(gradient), [rate], divisors);
    return {
      step,
      gradient,
      mean: m[0] / divisors[0],
      size: Math.sqrt(v[0] / divisors[1]),
      move: theta[0] - before,
      theta: theta[0],
    };
  });
}

/** Trains one parameter with gradient descent. Returns a row for each step. */
export function recordDescent(gradientAt: GradientAt, steps: number, rate: number, start = 0.1) {
  let theta = start;
  return Array.from({ length: steps }, (_, index) => {
    const gradient = gradientAt(theta, index + 1);
    theta -= rate * gradient;
    return { step: index + 1, gradient, move: -rate * gradient, theta };
  });
}

/**
 * Returns the greatest length of Adam's step at a step, in units of η, for any gradients. By the Cauchy–Schwarz inequality
 * |m| ≤ (1 − β₁)/√(1 − β₂) · √(1 + r + … + rᵗ⁻¹) · √v with r = β₁²/β₂; m and v are then divided by their corrections.
 */
export function longestStep(correction: BiasCorrection, step: number): number {
  const [first, second] = corrections(correction, step);
  const ratio = beta1 ** 2 / beta2;
  return (
    (Math.sqrt(second) / first) * ((1 - beta1) / Math.sqrt(1 - beta2)) * Math.sqrt((1 - ratio ** step) / (1 - ratio))
  );
}

/** Returns a row for each blob of a snapshot: a raw parameter, its decoded value, and whether it is frozen (slope 0). */
export function decodedField({ config, image, state: { parameters } }: Snapshot, field: number) {
  return Array.from({ length: config.blobs }, (_, blob) => {
    const raw = parameters[field * config.blobs + blob];
    return { blob, raw, ...decodedAt({ config, image }, field, raw) };
  });
}

/** Returns the decoded value of a raw parameter, and whether the decoding is flat there. */
export function decodedAt({ config, image }: Pick<Snapshot, "config" | "image">, field: number, raw: number) {
  // Each raw parameter is decoded independently of the others.
  const parameters = new Float64Array(parameterCount);
  parameters[field] = raw;
  const blob = decode(parameters, 0, modelOf(config, image));
  const name = valueNames[field];
  return { value: blob[name], isFrozen: blob.slope[name] === 0 };
}

/** A run of a race: an optimizer and its learning rate. */
export interface Racer {
  optimizer: "Adam" | "gradient descent";
  rate: number;
}

/**
 * Trains the job of a snapshot from its start, once for each racer, one after the other. Yields the rows of all finished
 * steps, with the loss before each.
 */
export async function* race(backend: Backend, { config, image }: Snapshot, racers: readonly Racer[], steps: number) {
  const rows: (Racer & { step: number; loss: number })[] = [];
  for (const racer of racers) {
    const { optimizer, rate } = racer;
    const job = { ...config, learningRate: rate };
    const state = initialState(job, image);
    const pipeline = await backend.open(job, image, state);
    try {
      for (let step = 1; step <= steps; step++) {
        if (optimizer === "Adam") await pipeline.advance(1);
        else {
          const gradients = await pipeline.computeGradients();
          const parameters = state.parameters.map((value, slot) => value - rate * gradients[slot]);
          Object.assign(state, { step, parameters });
        }
        rows.push({ ...racer, step, loss: (await pipeline.statistics()).loss });
        if (optimizer !== "Adam") await pipeline.load(state);
        if (step % 10 === 0) yield [...rows];
      }
    } finally {
      await pipeline.free();
    }
  }
}
