import { ConfigError, checkField, type TrainConfig } from "../config.js";
import { fields, formatField, isNumeric, parseField, parseNumber } from "../fields.js";
import { limitText } from "../quoted.js";

/** A value of a swept field as it is typed and shown: a number, a name or a tile such as "8x4". */
export type SweptValue = number | string;

/** Examples of ranges, for help texts. */
export const rangeExamples =
  "0.001..0.1x5 (5 values, each the same multiple of the previous one) or 100..500+5 (evenly spaced)";

/**
 * Returns the values of a field that a text lists, in its order and each once: values or ranges such as 0.001..0.1x5
 * and 100..500+5, separated by commas.
 * @throws ConfigError that names the field
 */
export function parseValues(field: keyof TrainConfig, text: string): SweptValue[] {
  const items = text.split(",").map((item) => item.trim());
  const values = items.flatMap((item) => rangeOf(field, item) ?? [parseField(field, item)]);
  return checkValues(field, values);
}

/**
 * Returns the values as they are shown, each once.
 * @throws ConfigError for the first value that the field cannot have
 */
export function checkValues(field: keyof TrainConfig, values: readonly unknown[]): SweptValue[] {
  if (values.length === 0) throw new ConfigError(field, "", "at least one value");
  const checked = values.map((value) => formatField(checkField(field, value)));
  const invalid = checked.find((value) => isNumeric(field) && typeof value !== "number");
  if (invalid !== undefined) throw new ConfigError(field, invalid, "a number in a sweep");
  return [...new Set(checked)];
}

/** Most values of one range. */
const maxRangeValues = 1000;

/** Returns a number with three digits, or the nearest whole number for a field of whole numbers. */
function rounded(field: keyof TrainConfig, value: number): number {
  return fields[field].kind === "number" ? Number(value.toPrecision(3)) : Math.round(value);
}

/** Returns the values of LOW..HIGHxN, each the same multiple of the one before, or of LOW..HIGH+N, evenly spaced. */
function rangeOf(field: keyof TrainConfig, text: string): number[] | undefined {
  if (!text.includes("..") || !isNumeric(field)) return undefined;
  const [, first, last, kind, number] = /^(.+?)\.\.(.+)([x×+])\s*(\d+)$/.exec(text) ?? [];
  const [low, high, n] = [first, last, number].map((item) => parseNumber(item?.trim() ?? ""));
  const isRange = typeof low === "number" && typeof high === "number" && typeof n === "number";
  if (!isRange || n < 2 || n > maxRangeValues) {
    throw new ConfigError(
      field,
      text,
      `a range of 2 to ${limitText(maxRangeValues)} values, such as 1..100x5 or 1..5+5`,
    );
  }
  if (kind !== "+" && !(low > 0 && high > 0)) {
    throw new ConfigError(field, text, "a range between numbers above 0, or with + instead of x");
  }
  const valueAt = (fraction: number) => (kind === "+" ? low + fraction * (high - low) : low * (high / low) ** fraction);
  // The ends are kept as typed.
  return Array.from({ length: n }, (_, i) =>
    i === 0 ? low : i === n - 1 ? high : rounded(field, valueAt(i / (n - 1))),
  );
}
