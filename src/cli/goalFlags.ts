import type { Command } from "commander";
import { parseNumber } from "../engine/fields.js";
import type { Goal } from "../engine/training/goal.js";
import { usageFailure } from "../terminal/failure.js";
import { checkPositive, flagOf } from "../terminal/flags.js";

/** The flags that name a goal, as they were typed. */
export type GoalOptions = Partial<Record<Goal["kind"], string>>;

const flags: Record<Goal["kind"], [value: string, help: string]> = {
  psnr: ["<dB>", "search for the fewest blobs that reach this PSNR"],
  seconds: ["<s>", "train for this time, however many steps that is"],
  bitsPerPixel: ["<x>", "search for the most blobs that fit into a .splat2d file of this size"],
};

const kinds = Object.keys(flags) as Goal["kind"][];

/** Options that cannot be combined with a goal, because the goal decides them. */
const decidedOptions: Record<Goal["kind"], readonly string[]> = {
  psnr: ["blobs", "resume"],
  seconds: ["steps", "resume"],
  bitsPerPixel: ["blobs", "resume"],
};

/** Returns the fields that the goal in the options decides. */
export function decidedFields(options: GoalOptions): readonly string[] {
  return kinds.flatMap((kind) => (options[kind] === undefined ? [] : decidedOptions[kind]));
}

export function addGoalFlags(command: Command): void {
  for (const kind of kinds) command.option(`${flagOf(kind)} ${flags[kind][0]}`, flags[kind][1]);
}

/**
 * Returns the goal that the flags name, if any.
 * @throws Failure, ConfigError
 */
export function goalOf(options: GoalOptions & Record<string, unknown>): Goal | undefined {
  const givenKinds = kinds.filter((kind) => options[kind] !== undefined);
  if (givenKinds.length > 1) throw usageFailure(`A run has one goal: ${givenKinds.map(flagOf).join(" or ")}.`);
  const [kind] = givenKinds;
  if (kind === undefined) return undefined;
  const other = decidedOptions[kind].find((name) => options[name] !== undefined);
  if (other !== undefined) throw usageFailure(`${flagOf(other)} cannot be given with ${flagOf(kind)}.`);
  return { kind, value: checkPositive(kind, parseNumber(options[kind]!)) };
}
