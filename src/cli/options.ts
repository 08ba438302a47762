import { Option } from "commander";
import { parseNumber } from "../engine/fields.js";
import { usageFailure } from "../terminal/failure.js";
import { checkCount, checkPositive, flagOf } from "../terminal/flags.js";

/**
 * An option with named values. The help lists them, and completion offers them. The command checks the value, since its
 * errors have the form of all others.
 */
export class ChoiceOption extends Option {
  constructor(
    flags: string,
    description: string,
    readonly values: readonly string[],
  ) {
    const [text, rest = ""] = description.split(/(?= \(default: )/);
    super(flags, `${text}: ${values.join(", ")}${rest}`);
  }
}

/** Returns an option with a whole number from 1 to a billion. */
export const countOption = (flags: string, help: string) => numberOption(flags, help, checkCount);

/** Returns an option with a number above 0. */
export const positiveOption = (flags: string, help: string) => numberOption(flags, help, checkPositive);

/** @param check returns the value, or throws a ConfigError that names the option */
function numberOption(flags: string, help: string, check: typeof checkCount): Option {
  const option = new Option(flags, help);
  return option.argParser((text) => check(option.attributeName(), parseNumber(text)));
}

/** @throws Failure that names the first of some options that was given, such as "--blobs cannot be given with --psnr." */
export function refuseOptions<Name extends string>(
  options: Partial<Record<Name, unknown>>,
  names: readonly Name[],
  why: string,
): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined) throw usageFailure(`${flagOf(given)} cannot be ${why}.`);
}

/** Options that several commands have. */
export const jsonOption = ["--json", "print one JSON object to stdout and nothing else"] as const;
export const quietOption = ["--quiet", "print no progress and no summary"] as const;
export const forceOption = ["--force", "replace an existing file"] as const;
