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

/** A time as people say it: "8 s", "3 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${count(Math.floor(s / 3600))} h ${Math.floor((s % 3600) / 60)} min`;
}
