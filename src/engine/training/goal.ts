import type { Size } from "../image/image.js";

/** What a run is to reach, in place of a number of blobs or of steps. */
export type Goal =
  | { kind: "psnr"; value: number }
  /** Of training. */
  | { kind: "seconds"; value: number }
  /** Of the run's .splat2d file, at most. */
  | { kind: "bitsPerPixel"; value: number };

/** What a number of blobs came to. */
export interface Attempt {
  blobs: number;
  /** Decibels. */
  psnr: number;
  /** Of the .splat2d file. */
  bitsPerPixel: number;
}

/** Steps that the seconds of a run are to hold at least. */
const minSteps = 40;

/** As many blobs as the picture deserves, or as few as a slow machine can train within the seconds. */
export function blobsWithin(blobs: number, seconds: number, stepsPerSecond: number): number {
  const ratio = (seconds * stepsPerSecond) / minSteps;
  return ratio >= 1 ? blobs : Math.max(1, Math.round(blobs * ratio));
}

/** How many decibels more than wanted are near enough, and at which attempt the search ends in any case. */
const psnrTolerance = 0.25;
const maxAttempts = 6;

/** Returns how many numbers of blobs a search tries at most. */
export function maxRuns({ kind }: Goal): number {
  return { psnr: maxAttempts, seconds: 1, bitsPerPixel: maxBitsAttempts }[kind];
}

/** Decibels that twice as many blobs add, as long as nothing better is known. */
const decibelsPerDoubling = 5;

/** The attempt with the fewest blobs that reaches a PSNR; the best one where none does. */
export function bestAttempt<A extends Pick<Attempt, "blobs" | "psnr">>(attempts: A[], psnr: number): A {
  const reached = attempts.filter((attempt) => attempt.psnr >= psnr);
  if (reached.length > 0) return reached.reduce((best, attempt) => (attempt.blobs < best.blobs ? attempt : best));
  return attempts.reduce((best, attempt) => (attempt.psnr > best.psnr ? attempt : best));
}

/**
 * The number of blobs to try next for a PSNR, given what others came to: along the line through the two attempts nearest
 * to it, over the logarithm of the number.
 * @param psnr decibels
 * @param most as many blobs as may be
 * @returns undefined where an attempt is near enough, or no other one is likely to do better
 */
export function nextForPsnr(
  attempts: Pick<Attempt, "blobs" | "psnr">[],
  psnr: number,
  most: number,
): number | undefined {
  const best = bestAttempt(attempts, psnr);
  if (attempts.length >= maxAttempts) return undefined;
  if (best.psnr >= psnr && best.psnr < psnr + psnrTolerance) return undefined;
  // A picture without any error says nothing of how the error goes by the blobs.
  if (best.psnr === Number.POSITIVE_INFINITY) return undefined;
  const byDistance = attempts.toSorted((a, b) => Math.abs(a.psnr - psnr) - Math.abs(b.psnr - psnr));
  const [nearest, other] = byDistance;
  let slope = decibelsPerDoubling;
  if (other && other.blobs !== nearest.blobs) {
    slope = (nearest.psnr - other.psnr) / Math.log2(nearest.blobs / other.blobs);
  }
  // A little more than wanted, since an attempt that falls short serves nobody.
  const doublings = (psnr + psnrTolerance / 2 - nearest.psnr) / Math.max(slope, 1);
  const blobs = Math.round(nearest.blobs * 2 ** Math.min(Math.max(doublings, -3), 3));
  const next = Math.min(Math.max(blobs, 1), most);
  return attempts.some((attempt) => attempt.blobs === next) ? undefined : next;
}

/**
 * The number of blobs to try next, given what others came to, the latest last.
 * @returns undefined where the search is over, as is one for seconds from the start
 */
export function nextBlobs(attempts: Attempt[], { kind, value }: Goal, { width, height }: Size): number | undefined {
  if (kind === "psnr") return nextForPsnr(attempts, value, width * height);
  return kind === "bitsPerPixel" ? nextForBits(attempts, value, width * height) : undefined;
}

/** Bits that a blob takes, about, as long as nothing better is known. */
const typicalBits = 75;

/** The share of the bits that an attempt is to take at least, and attempts after which the precision has to do. */
const minFill = 0.95;
const maxBitsAttempts = 3;

/**
 * The number of blobs to try next for a file of at most so many bits a pixel.
 * @returns undefined where the last attempt fills them, or as nearly as can be told before
 */
export function nextForBits(
  attempts: Pick<Attempt, "blobs" | "bitsPerPixel">[],
  bitsPerPixel: number,
  pixels: number,
): number | undefined {
  const last = attempts.at(-1);
  if (!last) return Math.min(Math.max(1, Math.floor((bitsPerPixel * pixels) / typicalBits)), pixels);
  const ratio = last.bitsPerPixel / bitsPerPixel;
  if (attempts.length >= maxBitsAttempts || (ratio <= 1 && ratio >= minFill)) return undefined;
  const next = Math.min(Math.max(1, Math.floor((last.blobs * (1 + minFill)) / 2 / ratio)), pixels);
  return next === last.blobs ? undefined : next;
}
