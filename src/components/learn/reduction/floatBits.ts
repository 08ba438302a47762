import { numberText, withMinus } from "../../page/numberText.js";

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** Returns the bits of a float32, as bitcast<u32> does. */
export function bitsOf(value: number): number {
  float[0] = value;
  return bits[0];
}

/** Returns the float32 with given bits, as bitcast<f32> does. */
export function floatOf(word: number): number {
  bits[0] = word;
  return float[0];
}

/** Formats bits in hexadecimal: 0x3f99999a. */
export function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}

/** Returns the distance between neighbouring float32 numbers at a value: its unit in the last place. */
export function unitInLastPlace(value: number): number {
  const exponent = Math.max((bitsOf(Math.abs(value)) >>> 23) - 127, -126);
  return 2 ** (exponent - 23);
}

/** Formats a float32 with the fewest digits that distinguish it from its neighbours. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return numberText(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === Math.fround(value)) return withMinus(String(text));
  }
  return withMinus(String(Number(value.toPrecision(9))));
}
