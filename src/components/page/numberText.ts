const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Replaces hyphens by minus signs. */
export function withMinus(text: string): string {
  return text.replaceAll("-", "−");
}

/** Returns a power of ten: "10⁻⁵". */
export function powerOfTen(exponent: number): string {
  const sign = exponent < 0 ? "⁻" : "";
  return `10${sign}${[...String(Math.abs(exponent))].map((digit) => digits[Number(digit)]).join("")}`;
}

/** Returns a number with a number of digits: "0.001236", "−1.235 × 10⁻⁷". */
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

/** Returns a number for an axis: "0.02", "10⁻⁵", "−2·10⁻⁴". */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || size >= 1e-3) return withMinus(String(Number(value.toPrecision(6))));
  const [factor, exponent] = size.toExponential(2).split("e").map(Number);
  return `${value < 0 ? "−" : ""}${factor === 1 ? "" : `${factor}·`}${powerOfTen(exponent)}`;
}
