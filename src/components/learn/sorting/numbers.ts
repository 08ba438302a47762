import { sentinel } from "../../../engine/model/shortList.js";
import { uniformGenerator } from "../../../engine/random.js";
import { type TextField, type TextFieldOptions, textField } from "../../inputs/textField.js";
import { count } from "../../page/format.js";

/** The most numbers that a figure sorts. */
export const maxNumbers = 1024;

/**
 * Returns the numbers of a text, separated by commas or spaces.
 * @throws RangeError if there are too many or too few, or one is not a valid index
 */
export function readNumbers(text: string, minCount = 2, maxCount = maxNumbers): Uint32Array {
  const entries = text.split(/[\s,;]+/).filter((entry) => entry !== "");
  if (entries.length < minCount) throw new RangeError(`Give at least ${minCount} numbers.`);
  if (entries.length > maxCount) {
    throw new RangeError(`At most ${count(maxCount)} numbers fit (got ${count(entries.length)}).`);
  }
  for (const entry of entries) {
    // The greatest 32-bit number is the sentinel.
    if (/^\d{1,10}$/.test(entry) && Number(entry) < sentinel) continue;
    throw new RangeError(`“${entry}” is not a whole number from 0 to ${count(sentinel - 1)}.`);
  }
  return Uint32Array.from(entries, Number);
}

/**
 * Returns the number of numbers to sort.
 * @throws RangeError if it is not a whole number in the allowed range
 */
export function readCount(text: string): number {
  const n = Number(text.replaceAll(",", "").trim() || Number.NaN);
  if (Number.isInteger(n) && n >= 2 && n <= maxNumbers) return n;
  throw new RangeError(`The figure sorts 2 to ${count(maxNumbers)} numbers (got “${text}”).`);
}

/** Returns n different random numbers, the same for the same seed. */
export function randomNumbers(n: number, seed = 2 ** 32 * Math.random()): Uint32Array {
  const random = uniformGenerator(seed);
  const candidates = Uint32Array.from({ length: Math.max(100, 2 * n) }, (_, number) => number);
  for (let index = 0; index < n; index++) {
    const other = index + Math.floor((candidates.length - index) * random());
    [candidates[index], candidates[other]] = [candidates[other], candidates[index]];
  }
  return candidates.slice(0, n);
}

type NumbersOptions = Pick<TextFieldOptions<Uint32Array>, "value" | "fill"> & { read?: typeof readNumbers };

/** Returns a text field for numbers separated by commas. */
export function numbersInput(
  label: string,
  { read = readNumbers, ...options }: NumbersOptions,
): TextField<Uint32Array> {
  return textField(label, (text) => read(text), { ...options, format: (numbers) => numbers.join(", ") });
}

/** Returns a number as figures show it. */
export function numberText(value: number): string {
  return value === sentinel ? "∞" : String(value);
}
