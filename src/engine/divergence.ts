import type { TrainConfig } from "./config.js";
import { rawNames, type TrainingState } from "./model/blobs.js";
import { limitText } from "./quoted.js";

/** A loss, parameter or moment is not finite. The run ends, and its trainer keeps the last state that was finite. */
export class DivergedError extends Error {
  override name = "DivergedError";
  readonly alert;
  constructor(quantity: string, value: number, step: number, loss = Number.NaN) {
    super(`Diverged: ${quantity} is ${value} at step ${limitText(step)}.`);
    this.alert = { kind: "diverged" as const, step, loss, sentence: this.message };
  }
}

/** @throws DivergedError if a parameter or moment is not finite */
export function checkFinite({ parameterization, blobs }: TrainConfig, state: TrainingState): void {
  const { parameters, firstMoments, secondMoments } = state;
  let zero = 0;
  // Faster than a check of each number: a product with 0 is NaN unless the number is finite.
  for (let i = 0; i < parameters.length; i++) zero += 0 * parameters[i] + 0 * firstMoments[i] + 0 * secondMoments[i];
  if (zero === 0) return;
  for (const [prefix, values] of [
    ["", parameters],
    ["the first moment of ", firstMoments],
    ["the second moment of ", secondMoments],
  ] as const) {
    const at = values.findIndex((value) => !Number.isFinite(value));
    if (at < 0) continue;
    const name = rawNames(parameterization)[Math.floor(at / blobs)];
    throw new DivergedError(`${prefix}${name} of blob ${at % blobs}`, values[at], state.step);
  }
}

/** Yields the snapshots of a run that may diverge, which then ends without an error. */
export async function* untilDivergence<Snapshot>(run: AsyncGenerator<Snapshot>): AsyncGenerator<Snapshot, void, void> {
  try {
    yield* run;
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error;
  }
}
