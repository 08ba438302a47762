import type { Goal } from "../engine/training/goal.js";
import { usageFailure } from "../terminal/failure.js";
import { flagOf } from "../terminal/flags.js";
import { refuseOptions } from "./options.js";

/** The flags that name a goal. */
export type GoalOptions = Partial<Record<Goal["kind"], number>>;

/** Options that cannot be combined with a goal, because the goal decides them. */
const decidedOptions: Record<Goal["kind"], readonly string[]> = {
  psnr: ["blobs", "resume"],
  seconds: ["steps", "resume"],
  bitsPerPixel: ["blobs", "resume"],
};

export const goalKinds = Object.keys(decidedOptions) as Goal["kind"][];

/** Returns the fields that the goal in the options decides. */
export function decidedFields(options: GoalOptions): readonly string[] {
  return goalKinds.flatMap((kind) => (options[kind] === undefined ? [] : decidedOptions[kind]));
}

/**
 * Returns the goal that the flags name, if any.
 * @throws Failure
 */
export function goalOf(options: GoalOptions): Goal | undefined {
  const [kind, ...others] = goalKinds.filter((kind) => options[kind] !== undefined);
  if (kind === undefined) return undefined;
  if (others.length > 0) throw usageFailure(`A run has one goal: ${[kind, ...others].map(flagOf).join(" or ")}.`);
  refuseOptions<string>(options, decidedOptions[kind], `given with ${flagOf(kind)}`);
  return { kind, value: options[kind]! };
}
