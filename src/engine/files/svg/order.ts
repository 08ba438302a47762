import type { Size } from "../../image/image.js";
import { type Blob, evalFalloff } from "../../model/blob.js";
import { deviations } from "../../model/bounds.js";

/** The contribution of a blob to one channel of a sum: amount · e^(−r²/2). */
export interface Contribution {
  blob: number;
  /** 0 red, 1 green, 2 blue. */
  channel: number;
  /** −1..1. */
  amount: number;
}

/** Contributions in drawing order. */
interface Passes {
  /** Alternately positive contributions, starting with the first pass, and negative ones. */
  passes: Contribution[][];
  /** Largest error of a pixel by clamping. */
  clipping: number;
}

/** How far a contribution may take a pixel beyond 0 or 1: less than an 8-bit value can show. */
export const minTolerance = 1 / 510;

/**
 * Orders the contributions of a sum so that a drawing which clamps each pixel to 0..1 after each of them ends at the
 * clamped sum. A contribution is drawn once it takes no pixel beyond 0 or 1, except where the sum itself is beyond. If
 * none qualifies, contributions are halved, since small steps of either sign find a way. In the end the tolerance grows.
 * @param start value of every pixel before the first contribution
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
  // How much clamping may still remove from a pixel, because its sum is beyond 0 or 1 by this.
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
  const mayBeDrawn = (contribution: Contribution) =>
    visit(contribution, (slot, value) => {
      const excess = clampExcess(drawn[slot] + value);
      // Negated, so that NaN does not block a contribution.
      return !(Math.abs(excess) > tolerance + Math.max(0, Math.sign(excess) * slack[slot]));
    });
  const draw = (contribution: Contribution) => {
    visit(contribution, (slot, value) => {
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
    for (const contribution of pending[signIndex]) {
      if (!mayBeDrawn(contribution)) deferred.push(contribution);
      else {
        draw(contribution);
        pass.push(contribution);
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

/** Passes after which the tolerance grows: every second pass costs two inversions of the image. */
const maxPasses = 64;

/** Amounts below this are not halved, since a drawing in 8 bits would lose them. */
const minAmount = 8 / 255;

function halve(contribution: Contribution): Contribution[] {
  const halfContribution = { ...contribution, amount: contribution.amount / 2 };
  return Math.abs(halfContribution.amount) < minAmount ? [contribution] : [halfContribution, halfContribution];
}

/** Returns how far a value is above 1, or below 0 as a negative number. */
function clampExcess(value: number): number {
  return value > 1 ? value - 1 : Math.min(value, 0);
}

/** Returns the contributions of a blob; an amount beyond 1 becomes several. */
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
