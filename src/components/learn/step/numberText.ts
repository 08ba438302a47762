const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";

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

/** A relative difference, of which the size alone is of interest: "3 × 10⁻⁹". */
export function apartText(apart: number): string {
  if (apart === 0) return "0";
  return Number.isFinite(apart) ? numberText(apart, 1) : "∞";
}
