const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A whole number with separators: 40,960. */
export function count(n: number): string {
  return integers.format(n);
}

/** A count with its noun: "1 step", "2 steps". */
export function counted(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}

export function decibels(value: number): string {
  return Number.isFinite(value) ? `${value.toFixed(2)} dB` : "∞ dB";
}

/** Steps a second, with as many digits as tell something. */
export function rate(perSecond: number): string {
  return perSecond >= 100 ? count(perSecond) : perSecond.toPrecision(2);
}
