import { sentinel } from "../../../engine/model/shortList.js";
import { uniformGenerator } from "../../../engine/random.js";
import { type TextField, type TextFieldOptions, textField } from "../../inputs/textField.js";
import { count } from "../../page/format.js";

/** Numbers that a figure sorts, at most. */
export const maxNumbers = 1024;

/**
 * Reads numbers that a reader typed, between commas or spaces.
 * @throws RangeError that says in one sentence what is wrong
 */
export function readNumbers(text: string, minCount = 2, maxCount = maxNumbers): Uint32Array {
  const entries = text.split(/[\s,;]+/).filter((entry) => entry !== "");
  if (entries.length < minCount) throw new RangeError(`Give at least ${minCount} numbers.`);
  if (entries.length > maxCount) {
    throw new RangeError(`At most ${count(maxCount)} numbers fit (got ${count(entries.length)}).`);
  }
  for (const word of entries) {
    // The last one of 32 bits is the sentinel.
    if (/^\d{1,10}$/.test(word) && Number(word) < sentinel) continue;
    throw new RangeError(`“${word}” is not a whole number from 0 to ${count(sentinel - 1)}.`);
  }
  return Uint32Array.from(entries, Number);
}

/** Reads how many numbers there are to be; it throws as readNumbers does. */
export function readCount(text: string): number {
  const n = Number(text.replaceAll(",", "").trim() || Number.NaN);
  if (Number.isInteger(n) && n >= 2 && n <= maxNumbers) return n;
  throw new RangeError(`The figure sorts 2 to ${count(maxNumbers)} numbers (got “${text}”).`);
}

/** Numbers of which no two are alike, as in a short-list: the same for the same seed. */
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

/** A box for numbers between commas. */
export function numbersInput(
  label: string,
  { read = readNumbers, ...options }: NumbersOptions,
): TextField<Uint32Array> {
  return textField(label, (text) => read(text), { ...options, format: (numbers) => numbers.join(", ") });
}

/** A number as it stands in a figure. */
export function numberText(value: number): string {
  return value === sentinel ? "∞" : String(value);
}
