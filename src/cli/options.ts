import { Option } from "commander";
import { suggestionFor } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { mustBe } from "../engine/quoted.js";
import { usageFailure } from "../terminal/failure.js";
import { checkCount, checkPositive, flagOf } from "../terminal/flags.js";

/**
 * Returns an option with named values, as the arguments of Commander's `option`. The command checks the value, since its
 * errors have the form of all others.
 */
export function choice(flags: string, help: string, values: readonly string[]): [flags: string, help: string] {
  const [text, rest = ""] = help.split(/(?= \(default: )/);
  return [flags, `${text}: ${values.join(", ")}${rest}`];
}

/** Returns an option with a whole number from 1 to a billion, as the arguments of Commander's `option`. */
export const count = (flags: string, help: string) => numberOption(flags, help, checkCount);

/** Returns an option with a number above 0, as the arguments of Commander's `option`. */
export const positive = (flags: string, help: string) => numberOption(flags, help, checkPositive);

/** @param check returns the value, or throws a ConfigError that names the option */
function numberOption(flags: string, help: string, check: typeof checkCount) {
  const name = new Option(flags).attributeName();
  return [flags, help, (text: string) => check(name, parseNumber(text))] as const;
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

/**
 * Returns a name that is one of some.
 * @throws Failure with a suggestion
 */
export function checkName<Name extends string>(label: string, name: string, names: readonly Name[]): Name {
  const found = names.find((other) => other === name);
  if (found === undefined)
    throw usageFailure(mustBe(label, `one of ${names.join(", ")}`, name, suggestionFor(name, names)));
  return found;
}

/** Options that several commands have. */
export const jsonOption = ["--json", "print one JSON object to stdout and nothing else"] as const;
export const quietOption = ["--quiet", "print no progress and no summary"] as const;
export const forceOption = ["--force", "replace an existing file"] as const;
