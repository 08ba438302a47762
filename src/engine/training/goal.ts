import { clamp } from "../clamp.js";
import type { Size } from "../image/image.js";

/** The goal of a run, instead of a number of blobs or steps. */
export type Goal =
  | { kind: "psnr"; value: number }
  /** Training time. */
  | { kind: "seconds"; value: number }
  /** Upper limit for the run's .splat2d file. */
  | { kind: "bitsPerPixel"; value: number };

/** Returns a goal in words, such as "40 dB". */
export function describeGoal({ kind, value }: Goal): string {
  return `${value} ${{ psnr: "dB", seconds: "s", bitsPerPixel: "bits per pixel" }[kind]}`;
}

/** The result of a number of blobs. */
export interface Attempt {
  blobs: number;
  /** Decibels. */
  psnr: number;
  /** Size of the .splat2d file. */
  bitsPerPixel: number;
}

/** Fewest steps of a run in seconds. */
const minSteps = 40;

/** Returns the number of blobs, reduced if a machine is too slow to train them within the seconds. */
export function blobsWithin(blobs: number, seconds: number, stepsPerSecond: number): number {
  const ratio = (seconds * stepsPerSecond) / minSteps;
  return ratio >= 1 ? blobs : Math.max(1, Math.round(blobs * ratio));
}

/** Decibels above the goal at which the search for a PSNR ends, and its most attempts. */
const psnrTolerance = 0.25;
const maxPsnrAttempts = 6;

/** Assumed gain in decibels of doubling the number of blobs, before there are two attempts. */
const decibelsPerDoubling = 5;

/** Returns the attempt with the fewest blobs that reaches a PSNR, or the best one if none does. */
export function bestAttempt<A extends Pick<Attempt, "blobs" | "psnr">>(attempts: A[], psnr: number): A {
  const reached = attempts.filter((attempt) => attempt.psnr >= psnr);
  if (reached.length > 0) return reached.reduce((best, attempt) => (attempt.blobs < best.blobs ? attempt : best));
  return attempts.reduce((best, attempt) => (attempt.psnr > best.psnr ? attempt : best));
}

/**
 * Returns the number of blobs to try next for a PSNR: on the line through the two nearest attempts, over the logarithm of
 * the number.
 * @returns undefined if an attempt is near enough, or no other one is likely to be better
 */
function nextForPsnr(attempts: Pick<Attempt, "blobs" | "psnr">[], psnr: number, most: number): number | undefined {
  const best = bestAttempt(attempts, psnr);
  if (attempts.length >= maxPsnrAttempts) return undefined;
  if (best.psnr >= psnr && best.psnr < psnr + psnrTolerance) return undefined;
  // A perfect render gives no slope.
  if (best.psnr === Number.POSITIVE_INFINITY) return undefined;
  const byDistance = attempts.toSorted((a, b) => Math.abs(a.psnr - psnr) - Math.abs(b.psnr - psnr));
  const [nearest, other] = byDistance;
  let slope = decibelsPerDoubling;
  if (other && other.blobs !== nearest.blobs) {
    slope = (nearest.psnr - other.psnr) / Math.log2(nearest.blobs / other.blobs);
  }
  // A little more than the goal, since an attempt below it does not count.
  const doublings = (psnr + psnrTolerance / 2 - nearest.psnr) / Math.max(slope, 1);
  const blobs = Math.round(nearest.blobs * 2 ** clamp(doublings, -3, 3));
  const next = clamp(blobs, 1, most);
  return attempts.some((attempt) => attempt.blobs === next) ? undefined : next;
}

/** Assumed bits per blob, before the first attempt. */
const typicalBits = 75;

/** Fraction of the bits that a file must use, and most attempts; afterwards only the precision is adjusted. */
const minFill = 0.95;
const maxBitsAttempts = 3;

/**
 * Returns the number of blobs to try next for a file of at most `bitsPerPixel`.
 * @returns undefined if the last attempt is close enough
 */
export function nextForBits(
  attempts: Pick<Attempt, "blobs" | "bitsPerPixel">[],
  bitsPerPixel: number,
  pixels: number,
): number | undefined {
  const last = attempts.at(-1);
  if (!last) return clamp(Math.floor((bitsPerPixel * pixels) / typicalBits), 1, pixels);
  const ratio = last.bitsPerPixel / bitsPerPixel;
  if (attempts.length >= maxBitsAttempts || (ratio <= 1 && ratio >= minFill)) return undefined;
  const next = clamp(Math.floor((last.blobs * (1 + minFill)) / 2 / ratio), 1, pixels);
  return next === last.blobs ? undefined : next;
}

/**
 * Returns the number of blobs to try next, given the attempts so far.
 * @returns undefined if the search is over; one for seconds ends at once
 */
export function nextBlobs(attempts: Attempt[], { kind, value }: Goal, { width, height }: Size): number | undefined {
  if (kind === "psnr") return nextForPsnr(attempts, value, width * height);
  return kind === "bitsPerPixel" ? nextForBits(attempts, value, width * height) : undefined;
}

/** Returns the largest number of attempts of a search. */
export function maxAttempts({ kind }: Goal): number {
  return { psnr: maxPsnrAttempts, seconds: 1, bitsPerPixel: maxBitsAttempts }[kind];
}
