import { count } from "./format.js";

const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The sign of a negative number as it is printed. */
export function withMinus(text: string): string {
  return text.replaceAll("-", "−");
}

/** A power of ten: "10⁻⁵". */
export function powerOfTen(exponent: number): string {
  const sign = exponent < 0 ? "⁻" : "";
  return `10${sign}${[...String(Math.abs(exponent))].map((digit) => digits[Number(digit)]).join("")}`;
}

/** A number with so many digits: "0.001236", "−1.235 × 10⁻⁷". */
export function numberText(value: number, precision = 4): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : value < 0 ? "−∞" : "∞";
  const [mantissa, exponent] = Math.abs(value)
    .toExponential(precision - 1)
    .split("e");
  const sign = value < 0 ? "−" : "";
  const power = Number(exponent);
  if (power >= -3 && power < 6) return `${sign}${Number(Math.abs(value).toPrecision(precision))}`;
  return `${sign}${mantissa} × ${powerOfTen(power)}`;
}

/** Whether a text of a table begins with a number, or stands for one that there is not. */
export function isNumberText(text: string): boolean {
  return /^(?:[−+]?\d|–$)/.test(text);
}

/** A number for an axis, a small one by its power of ten: "0.02", "10⁻⁵", "−2·10⁻⁴". */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || size >= 1e-3) return withMinus(String(Number(value.toPrecision(6))));
  const [factor, exponent] = size.toExponential(2).split("e").map(Number);
  return `${value < 0 ? "−" : ""}${factor === 1 ? "" : `${factor}·`}${powerOfTen(exponent)}`;
}

/** A number for an axis of counts, between which ticks may fall: "10,000", "0.5". */
export function countText(value: number): string {
  return Number.isInteger(value) ? count(value) : tickText(value);
}

/** A number in at most seven characters, for where there is little room: "0.0123", "−1.2e−5". */
export function shortText(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 0.01 && size < 1000)) return withMinus(String(Number(value.toPrecision(3))));
  return withMinus(value.toExponential(1)).replace("+", "");
}

/** A relative difference, of which the size alone is of interest: "3 × 10⁻⁹". */
export function differenceText(difference: number): string {
  return numberText(difference, 1);
}
