import type { Size } from "../../image/image.js";
import { type Blob, evalFalloff } from "../../model/blob.js";
import { deviations } from "../../model/bounds.js";

/** What a blob of a sum adds to one channel, or takes from it: amount · e^(−r²/2). */
export interface Contribution {
  blob: number;
  /** 0 red, 1 green, 2 blue. */
  channel: number;
  /** −1..1. */
  amount: number;
}

/** Parts in the order in which they may be drawn. */
interface Passes {
  /** By turns parts that add, from the first pass on, and parts that take away. */
  passes: Contribution[][];
  /** By how much a pixel may be wrong because it was clamped on the way. */
  clipping: number;
}

/** Less than an 8-bit value can show: so far beyond 0 or 1 a part may carry a pixel. */
export const minTolerance = 1 / 510;

/**
 * Orders the parts of a sum so that a drawing which clamps each pixel to 0..1 all the time ends where the sum does,
 * clamped. A part is drawn once it carries no pixel beyond 0 or 1, but for what the sum itself is beyond. Where none is
 * left that does so they are halved, since small steps of either sign find a way, and in the end those are drawn that go
 * least beyond.
 * @param start what every pixel is before the first part
 */
export function orderContributions(blobs: Blob[], size: Size, start: number): Passes {
  const footprints = blobs.map((blob) => footprintOf(blob, size));
  const pixels = size.width * size.height;
  const filledPlane = (value: number) => new Float32Array(3 * pixels).fill(value);
  const sum = filledPlane(start);
  const drawn = filledPlane(start);
  let pending: Contribution[][] = [[], []];
  for (const contribution of blobs.flatMap(contributionsOf)) {
    pending[contribution.amount > 0 ? 0 : 1].push(contribution);
    visit(contribution, (slot, value) => {
      sum[slot] += value;
    });
  }
  // What clamping may still take from a pixel, because its sum is beyond 0 or 1 by so much.
  const slack = sum.map(clampExcess);

  function visit({ blob, channel, amount }: Contribution, call: (slot: number, value: number) => unknown): boolean {
    const { left, top, width, falloffs } = footprints[blob];
    for (let k = 0; k < falloffs.length; k++) {
      if (falloffs[k] === 0) continue;
      const pixel = (top + Math.floor(k / width)) * size.width + left + (k % width);
      if (call(channel * pixels + pixel, amount * falloffs[k]) === false) return false;
    }
    return true;
  }
  let tolerance = minTolerance;
  const mayBeDrawn = (part: Contribution) =>
    visit(part, (slot, value) => {
      const excess = clampExcess(drawn[slot] + value);
      // So phrased that NaN holds nothing up.
      return !(Math.abs(excess) > tolerance + Math.max(0, Math.sign(excess) * slack[slot]));
    });
  const draw = (part: Contribution) => {
    visit(part, (slot, value) => {
      const excess = clampExcess(drawn[slot] + value);
      drawn[slot] += value - excess;
      slack[slot] -= excess;
    });
  };

  const passes: Contribution[][] = [];
  let idlePasses = 0;
  for (let signIndex = 0; pending[0].length + pending[1].length > 0; signIndex = 1 - signIndex) {
    const pass: Contribution[] = [];
    const deferred: Contribution[] = [];
    for (const part of pending[signIndex]) {
      if (!mayBeDrawn(part)) deferred.push(part);
      else {
        draw(part);
        pass.push(part);
      }
    }
    pending[signIndex] = deferred;
    passes.push(pass);
    idlePasses = pass.length > 0 ? 0 : idlePasses + 1;
    const isLate = passes.length >= maxPasses;
    if (idlePasses === 0 && !isLate) tolerance = minTolerance;
    if (idlePasses < 2 && !isLate) continue;
    const halved = isLate ? pending : pending.map((contributions) => contributions.flatMap(halve));
    if (halved.every((parts, sign) => parts.length === pending[sign].length)) tolerance *= 2;
    pending = halved;
  }
  let clipping = 0;
  for (let slot = 0; slot < sum.length; slot++) {
    clipping = Math.max(clipping, Math.abs(sum[slot] - clampExcess(sum[slot]) - drawn[slot]));
  }
  return { passes, clipping };
}

/** Passes after which parts are drawn that go further and further beyond: each costs two inversions of the picture. */
const maxPasses = 64;

/** Amounts below this are not halved: a drawing in 8 bits would lose them. */
const minAmount = 8 / 255;

function halve(contribution: Contribution): Contribution[] {
  const halfContribution = { ...contribution, amount: contribution.amount / 2 };
  return Math.abs(halfContribution.amount) < minAmount ? [contribution] : [halfContribution, halfContribution];
}

/** How far a value is above 1, or below 0 as a negative number; 0 between. */
function clampExcess(value: number): number {
  return value > 1 ? value - 1 : Math.min(value, 0);
}

/** A blob's parts; an amount beyond 1 is drawn as several. */
function contributionsOf({ red, green, blue, opacity }: Blob, blob: number): Contribution[] {
  return [red, green, blue].flatMap((color, channel) => {
    const amount = opacity * color;
    const count = Math.ceil(Math.abs(amount));
    return new Array<Contribution>(count).fill({ blob, channel, amount: amount / count });
  });
}

/** The falloffs of a blob at the pixels around it, row by row. */
interface Footprint {
  left: number;
  top: number;
  width: number;
  falloffs: Float32Array;
}

function footprintOf(blob: Blob, { width, height }: Size): Footprint {
  const span = (center: number, deviation: number, side: number) => {
    const reach = deviations * deviation;
    return [Math.max(0, Math.ceil((center - reach) * side)), Math.min(side - 1, Math.floor((center + reach) * side))];
  };
  const [left, right] = span(blob.centerX, 1 / blob.perDeviationX, width);
  const [top, bottom] = span(blob.centerY, 1 / blob.perDeviationY, height);
  const across = Math.max(0, right - left + 1);
  const falloffs = new Float32Array(across * Math.max(0, bottom - top + 1));
  for (let k = 0; k < falloffs.length; k++) {
    falloffs[k] = evalFalloff(blob, (left + (k % across)) / width, (top + Math.floor(k / across)) / height);
  }
  return { left, top, width: across, falloffs };
}
