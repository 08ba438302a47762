import { numberText, withMinus } from "../../page/numberText.js";

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** The bits of a float32, as bitcast<u32> gives them. */
export function bitsOf(value: number): number {
  float[0] = value;
  return bits[0];
}

/** The float32 of bits, as bitcast<f32> gives it. */
export function floatOf(word: number): number {
  bits[0] = word;
  return float[0];
}

/** Bits in hexadecimal: 0x3f99999a. */
export function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}

/** The distance of neighbouring float32 numbers around a value: its unit in the last place. */
export function unitInLastPlace(value: number): number {
  const exponent = Math.max((bitsOf(Math.abs(value)) >>> 23) - 127, -126);
  return 2 ** (exponent - 23);
}

/** A float32 in the fewest digits that tell it from its neighbours. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return numberText(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === Math.fround(value)) return withMinus(String(text));
  }
  return withMinus(String(Number(value.toPrecision(9))));
}
