const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

const twoDigits = new Intl.NumberFormat("en-US", { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });

/** Returns a whole number with separators: "40,960". */
export function count(n: number): string {
  return integers.format(n);
}

/** Returns a number with its noun: "1 step", "2 steps". */
export function counted(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}

/** Returns an adapter's name without its driver: "NVIDIA H200" for "nvidia-h200 (NVIDIA: 580.159.04)". */
export function adapterName(description: string): string {
  return description
    .replace(/ \(.*\)$/, "")
    .replace(/^nvidia-(.+)/, (_, model: string) => `NVIDIA ${model.toUpperCase()}`);
}

/** Returns decibels with two decimals: "31.40 dB". */
export function decibels(value: number): string {
  return Number.isFinite(value) ? `${value.toFixed(2)} dB` : "∞ dB";
}

/** Returns the text of a render's PSNR, which is that of its float values clamped to 0..1. */
export function psnrText(value: number): string {
  return `PSNR ${decibels(value)}`;
}

/** Returns the text of a training PSNR, which follows from the loss: unclamped values, parameters before the step. */
export function trainingPsnrText(value: number): string {
  return `training ${psnrText(value)}`;
}

/** Returns steps per second with at least two digits. */
export function rate(perSecond: number): string {
  return perSecond >= 100 ? count(perSecond) : twoDigits.format(perSecond);
}

/** Returns a number with three digits and the name of its power of a thousand. */
function scaled(value: number, names: readonly string[]): string {
  const exponent = value > 0 ? Math.floor(Math.log10(Number(value.toPrecision(3))) / 3) : 0;
  const power = Math.min(Math.max(exponent, 0), names.length - 1);
  return `${Number((value / 1000 ** power).toPrecision(3))} ${names[power]}`;
}

/** Returns a number with a metric prefix, for a unit that follows: "4.12 T", "36 ". */
function prefixed(value: number): string {
  return scaled(value, ["", "k", "M", "G", "T", "P"]);
}

/** Returns a number with its power in words: "4.12 trillion", "36". */
export function inWords(value: number): string {
  return scaled(value, ["", "thousand", "million", "billion", "trillion"]).trim();
}

/** Returns milliseconds with a suitable unit: "6.66 ms", "115 µs". */
export function time(milliseconds: number): string {
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toPrecision(3))} s`;
  if (milliseconds >= 1) return `${Number(milliseconds.toPrecision(3))} ms`;
  return `${Number((1000 * milliseconds).toPrecision(3))} µs`;
}

/** Returns seconds without a unit, with at least three digits: "2.29", "1,199". */
export function secondsCount(seconds: number): string {
  return seconds < 999.5 ? seconds.toPrecision(3) : count(seconds);
}

/** Returns a fraction as a percentage with two digits. */
export function percent(fraction: number): string {
  return `${Number((100 * fraction).toPrecision(2))} %`;
}

/** Returns a difference with its sign and two decimals: "+1.25", "−0.30". */
export function signed(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** Returns bytes with three digits: "9.21 kB". */
export function bytesText(bytes: number): string {
  return `${prefixed(bytes)}B`;
}

/** Returns a number with five decimals, which align in a column, or with an exponent if it is very small or large. */
export function showNumber(value: number): string {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-2 && size < 1e3) ? value.toFixed(5) : value.toExponential(3);
}

/** Returns the label of a parameter group: "centre". */
export function groupLabel(group: string): string {
  return { center: "centre", color: "colour" }[group] ?? group;
}
