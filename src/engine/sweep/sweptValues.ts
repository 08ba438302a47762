import { ConfigError, checkField, type TrainConfig } from "../config.js";
import { fields, isNumeric, numeric, readField, writeField } from "../fields.js";

/** A value of a swept field as it is typed and shown: a number, a name, or a tile such as "8x4". */
export type SweptValue = number | string;

/** How ranges are written, for people. */
export const rangeExamples =
  "0.001..0.1x5 (5 values, each the same multiple of the previous one) or 100..500+5 (evenly spaced)";

/**
 * The values of a field that a text names, in its order and each once: values with commas between them, or ranges such
 * as 0.001..0.1x5 and 100..500+5.
 * @throws ConfigError that names the field
 */
export function parseValues(field: keyof TrainConfig, text: string): SweptValue[] {
  const parts = text.split(",").map((part) => part.trim());
  const values = parts.flatMap((part) => rangeOf(field, part) ?? [readField(field, part)]);
  return checkValues(field, values);
}

/**
 * The values as a config would show them, each once.
 * @throws ConfigError for the first that the field cannot have
 */
export function checkValues(field: keyof TrainConfig, values: readonly unknown[]): SweptValue[] {
  if (values.length === 0) throw new ConfigError(field, "", "one value at least");
  const checked = values.map((value) => writeField(checkField(field, value)));
  const word = checked.find((value) => isNumeric(field) && typeof value !== "number");
  if (word !== undefined) throw new ConfigError(field, word, "a number in a sweep");
  return [...new Set(checked)];
}

/** Values of one range, at most. */
const longest = 1000;

/** The values of LOW..HIGHxN, each the same multiple of the one before, or LOW..HIGH+N, evenly spaced. */
function rangeOf(field: keyof TrainConfig, text: string): number[] | undefined {
  if (!text.includes("..") || !isNumeric(field)) return undefined;
  const [, first, last, kind, number] = /^(.+?)\.\.(.+)([x×+])\s*(\d+)$/.exec(text) ?? [];
  const [low, high, n] = [first, last, number].map((part) => numeric(part?.trim() ?? ""));
  const isRange = typeof low === "number" && typeof high === "number" && typeof n === "number";
  if (!isRange || n < 2 || n > longest) {
    throw new ConfigError(field, text, `a range of 2 to ${longest} values, such as 1..100x5 or 1..5+5`);
  }
  if (kind !== "+" && !(low > 0 && high > 0)) {
    throw new ConfigError(field, text, "a range between numbers above 0, or with + in place of x");
  }
  const at = (share: number) => (kind === "+" ? low + share * (high - low) : low * (high / low) ** share);
  const rounded = (value: number) =>
    fields[field].kind === "number" ? Number(value.toPrecision(3)) : Math.round(value);
  // The ends are what was typed.
  return Array.from({ length: n }, (_, i) => (i === 0 ? low : i === n - 1 ? high : rounded(at(i / (n - 1)))));
}
