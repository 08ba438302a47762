import { sentinel } from "../../../engine/model/shortList.js";
import { uniformGenerator } from "../../../engine/random.js";
import { type Typed, type TypedOptions, typed } from "../../inputs/typed.js";
import { count } from "../../page/format.js";

/** Numbers that a figure sorts, at most. */
export const mostNumbers = 1024;

/**
 * Reads numbers that a reader typed, between commas or spaces.
 * @throws RangeError that says in one sentence what is wrong
 */
export function readNumbers(text: string, least = 2, most = mostNumbers): Uint32Array {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  if (words.length < least) throw new RangeError(`Give at least ${least} numbers.`);
  if (words.length > most) {
    throw new RangeError(`At most ${count(most)} numbers fit (got ${count(words.length)}).`);
  }
  for (const word of words) {
    // The last one of 32 bits is the sentinel.
    if (/^\d{1,10}$/.test(word) && Number(word) < sentinel) continue;
    throw new RangeError(`“${word}” is not a whole number from 0 to ${count(sentinel - 1)}.`);
  }
  return Uint32Array.from(words, Number);
}

/** Reads how many numbers there are to be; it throws as readNumbers does. */
export function readHowMany(text: string): number {
  const n = Number(text.replaceAll(",", "").trim() || Number.NaN);
  if (Number.isInteger(n) && n >= 2 && n <= mostNumbers) return n;
  throw new RangeError(`The figure sorts 2 to ${count(mostNumbers)} numbers (got “${text}”).`);
}

/** Numbers of which no two are alike, as in a short-list: the same for the same seed. */
export function randomNumbers(n: number, seed = 2 ** 32 * Math.random()): Uint32Array {
  const random = uniformGenerator(seed);
  const all = Uint32Array.from({ length: Math.max(100, 2 * n) }, (_, number) => number);
  for (let place = 0; place < n; place++) {
    const other = place + Math.floor((all.length - place) * random());
    [all[place], all[other]] = [all[other], all[place]];
  }
  return all.slice(0, n);
}

type NumbersOptions = Pick<TypedOptions<Uint32Array>, "value" | "fill"> & { read?: typeof readNumbers };

/** A box for numbers between commas. */
export function numbersInput(label: string, { read = readNumbers, ...options }: NumbersOptions): Typed<Uint32Array> {
  return typed(label, (text) => read(text), { ...options, format: (numbers) => numbers.join(", ") });
}

/** A number as it stands in a figure. */
export function numberText(value: number): string {
  return value === sentinel ? "∞" : String(value);
}
