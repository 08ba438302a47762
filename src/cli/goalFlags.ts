import type { Command } from "commander";
import type { Goal } from "../engine/training/goal.js";
import { usageFailure } from "../terminal/failure.js";
import { flagOf } from "../terminal/flags.js";
import { positiveOption, refuseOptions } from "./options.js";

/** The flags that name a goal. */
export type GoalOptions = Partial<Record<Goal["kind"], number>>;

const flags: Record<Goal["kind"], [value: string, help: string]> = {
  psnr: ["<dB>", "search for the fewest blobs that reach this PSNR"],
  seconds: ["<s>", "train for this time, however many steps that is"],
  bitsPerPixel: ["<x>", "search for the most blobs that fit into a .splat2d file of this size"],
};

export const goalKinds = Object.keys(flags) as Goal["kind"][];

/** Options that cannot be combined with a goal, because the goal decides them. */
const decidedOptions: Record<Goal["kind"], readonly string[]> = {
  psnr: ["blobs", "resume"],
  seconds: ["steps", "resume"],
  bitsPerPixel: ["blobs", "resume"],
};

/** Returns the fields that the goal in the options decides. */
export function decidedFields(options: GoalOptions): readonly string[] {
  return goalKinds.flatMap((kind) => (options[kind] === undefined ? [] : decidedOptions[kind]));
}

export function addGoalFlags(command: Command): void {
  for (const kind of goalKinds) command.addOption(positiveOption(`${flagOf(kind)} ${flags[kind][0]}`, flags[kind][1]));
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
