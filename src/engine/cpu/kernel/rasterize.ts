// Forward pass, loss and backward pass over the pixels of a task, four at a time; reference:
// src/engine/model/rasterize.ts.
import { Blob, blobStride } from "./decode";
import {
  attenuation,
  backing,
  capacity,
  ceiling,
  fading,
  largestGradient,
  target,
  tileHeight,
  tileWidth,
  width,
} from "./job";
import {
  across,
  bottom,
  decoded,
  down,
  left,
  listTiles,
  longestList,
  memberCount,
  members,
  right,
  tileMembers,
  tileOffset,
  top,
} from "./lists";
import { exp2OfMinus, sumOfLanes } from "./math";
import { allocate } from "./memory";

/** A tile is processed in blocks small enough for the cache. */
const blockSide: i32 = 16;
const maxQuads: usize = <usize>(blockSide * blockSide) / 4;

/** Four pixels of a row. */
@unmanaged
class Quad {
  red: v128;
  green: v128;
  blue: v128;
  transmittance: v128;
  // dL/d of these.
  dRed: v128;
  dGreen: v128;
  dBlue: v128;
  dTransmittance: v128;
}

const quadSize: usize = 128;

/** A blob that overlaps a quad, recorded for the backward pass. */
@unmanaged
class Touch {
  /** a² + b²; after blending e^power, which is 0 in pixels that the blob does not overlap. */
  falloff: v128;
  /** Mask of the pixels that it overlaps; after blending the transmittance before it. */
  before: v128;
  a: v128;
  b: f32;
  quad: u32;
}

const touchSize: usize = 64;

/** Sums over pixels for the gradients of a blob; finally these gradients, in the order of its raw parameters. */
@unmanaged
class Sums {
  /** Sums of dL/d(e^power) e^power, in the opacity's units, times a, b, a², b² and ab, and times 1 at the end. */
  a: v128;
  b: v128;
  aa: v128;
  bb: v128;
  ab: v128;
  red: v128;
  green: v128;
  blue: v128;
  one: v128;
}

const sumsSize: usize = 144;

/** Below this transmittance a pixel takes no further blobs. */
const lowestTransmittance: f32 = <f32>(1.0 / 255.0);
/** a² + b² at the edge of the support: 8 log₂ e. */
const farthest: f32 = <f32>11.541560327111707;

// The current block.
let blockLeft: i32 = 0;
let blockTop: i32 = 0;
let blockWidth: i32 = 0;
let blockHeight: i32 = 0;
let quadsAcross: i32 = 0;
let list: usize = 0;

// Memory of the task.
const quads: usize = memory.data(8192, 16);
let touches: usize = 0;
/** The end of each entry's touches. */
let touchEnds: usize = 0;
/** The transmittance of the block's quads before each pass. */
let passes: usize = 0;
let sums: usize = 0;
/** Gradients of the task's blobs, nine per blob; or its pixels. */
export let results: usize = 0;

/**
 * Differentiates the squared error of a task. Its `memberCount` blobs are then at `members`, and the gradients of their
 * raw parameters at `results`, nine per blob.
 * @param weight weight of a squared error in the loss
 * @returns the squared error of the task's pixels, summed over rgb
 */
export function differentiate(task: i32, weight: f32): f64 {
  listTiles(task);
  const inPass = min<i32>(capacity, longestList);
  touches = allocate(<usize>inPass * maxQuads * touchSize);
  touchEnds = allocate((<usize>inPass) << 2);
  passes = allocate((<usize>(longestList / capacity) + 1) * maxQuads * 16);
  sums = allocate(<usize>memberCount * sumsSize);
  memory.fill(sums, 0, <usize>memberCount * sumsSize);
  let squaredError: f64 = 0;
  const clamps = largestGradient < Infinity;
  for (let tile = 0; tile < across * down; tile++) {
    const count = selectTile(tile);
    const tileLeft = left + (tile % across) * tileWidth;
    const tileTop = top + (tile / across) * tileHeight;
    for (let y = tileTop; y < min<i32>(tileTop + tileHeight, bottom); y += blockSide) {
      for (let x = tileLeft; x < min<i32>(tileLeft + tileWidth, right); x += blockSide) {
        selectBlock(x, y, tileLeft, tileTop);
        let first = 0;
        for (let pass = 0; ; pass++, first += capacity) {
          copyTransmittance(pass, true);
          blend(first, min<i32>(first + capacity, count), true);
          if (first + capacity >= count) break;
        }
        squaredError += loss(weight);
        for (let pass = first / capacity; pass >= 0; pass--, first -= capacity) {
          const end = min<i32>(first + capacity, count);
          // The last pass is still in memory.
          if (end < count) {
            copyTransmittance(pass, false);
            blend(first, end, true);
          }
          blendBackward(first, end, clamps);
        }
      }
    }
  }
  results = allocate(<usize>memberCount * 9 * 4);
  for (let member = 0; member < memberCount; member++) {
    const sum = changetype<Sums>(sums + <usize>member * sumsSize);
    if (!clamps) toRawGradient(sum, blobOf(<usize>member));
    const from = changetype<usize>(sum);
    const to = results + <usize>member * 36;
    for (let at: usize = 0; at < 36; at += 4) store<f32>(to + at, sumOfLanes(v128.load(from + (at << 2))));
  }
  return squaredError;
}

/** Draws a task: RGB and transmittance of its pixels, row by row, at `results`; float32. */
export function draw(task: i32): void {
  listTiles(task);
  touches = allocate(maxQuads * touchSize);
  const stride = (<usize>(right - left)) << 4;
  results = allocate(stride * <usize>(bottom - top));
  for (let tile = 0; tile < across * down; tile++) {
    const count = selectTile(tile);
    const tileLeft = left + (tile % across) * tileWidth;
    const tileTop = top + (tile / across) * tileHeight;
    for (let y = tileTop; y < min<i32>(tileTop + tileHeight, bottom); y += blockSide) {
      for (let x = tileLeft; x < min<i32>(tileLeft + tileWidth, right); x += blockSide) {
        selectBlock(x, y, tileLeft, tileTop);
        blend(0, count, false);
        writePixels(results + <usize>(y - top) * stride + ((<usize>(x - left)) << 4), stride);
      }
    }
  }
}

/** Selects the list of a tile, and returns its length. */
function selectTile(tile: i32): i32 {
  const start = load<u32>(tileOffset(tile));
  list = tileMembers + ((<usize>start) << 2);
  return <i32>(load<u32>(tileOffset(tile + 1)) - start);
}

/** Selects and clears the block that starts at a pixel. */
function selectBlock(x: i32, y: i32, tileLeft: i32, tileTop: i32): void {
  blockLeft = x;
  blockTop = y;
  blockWidth = min<i32>(blockSide, min<i32>(tileLeft + tileWidth, right) - x);
  blockHeight = min<i32>(blockSide, min<i32>(tileTop + tileHeight, bottom) - y);
  quadsAcross = (blockWidth + 3) >> 2;
  for (let row = 0; row < blockHeight; row++) {
    for (let column = 0; column < quadsAcross; column++) {
      const quad = quadAt(row, column);
      quad.red = quad.green = quad.blue = f32x4.splat(0);
      quad.transmittance = f32x4.splat(1);
    }
  }
}

function quadAt(row: i32, column: i32): Quad {
  return changetype<Quad>(quads + <usize>(row * quadsAcross + column) * quadSize);
}

/** Returns a mask of the lanes of a quad that are in the block. */
function inBlock(column: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(blockWidth - (column << 2)));
}

function blobOf(member: usize): Blob {
  return changetype<Blob>(decoded + <usize>load<u32>(members + (member << 2)) * blobStride);
}

function memberOf(entry: i32): usize {
  return <usize>load<u32>(list + ((<usize>entry) << 2));
}

/** Stores the block's transmittance before a pass, or restores it. */
function copyTransmittance(pass: i32, stores: bool): void {
  for (let q = 0; q < quadsAcross * blockHeight; q++) {
    const address = passes + (<usize>pass * maxQuads + <usize>q) * 16;
    const quad = changetype<Quad>(quads + <usize>q * quadSize);
    if (stores) v128.store(address, quad.transmittance);
    else quad.transmittance = v128.load(address);
  }
}

/**
 * Blends entries of the list into the block, front to back.
 * @param records whether touches are stored for the backward pass
 */
function blend(first: i32, end: i32, records: bool): void {
  const one = f32x4.splat(1);
  const taken = f32x4.splat(attenuation);
  const maxAlpha = f32x4.splat(ceiling);
  const limit = f32x4.splat(farthest);
  const lowest = f32x4.splat(lowestTransmittance);
  const lastColumn = <f32>(blockWidth - 1);
  const lastRow = <f32>(blockHeight - 1);
  let touchEnd = touches;
  for (let entry = first; entry < end; entry++) {
    const blob = blobOf(memberOf(entry));
    const centerX = <f32>(blob.centerX - <f64>blockLeft);
    const centerY = <f32>(blob.centerY - <f64>blockTop);
    const firstQuad = <i32>max<f32>(centerX - blob.reachX, 0) >> 2;
    const lastQuad = <i32>min<f32>(max<f32>(centerX + blob.reachX, -4), lastColumn) >> 2;
    const firstRow = <i32>ceil<f32>(max<f32>(centerY - blob.reachY, 0));
    const rowEnd = <i32>floor<f32>(min<f32>(max<f32>(centerY + blob.reachY, -1), lastRow)) + 1;
    const along = f32x4.splat(blob.alongA);
    const step = f32x4.mul(along, f32x4.splat(4));
    const leftA = f32x4.mul(
      along,
      f32x4.sub(f32x4.add(f32x4(0, 1, 2, 3), f32x4.splat(<f32>(firstQuad << 2))), f32x4.splat(centerX)),
    );
    let touched = records ? touchEnd : touches;
    let touch = changetype<Touch>(touched);
    for (let row = firstRow; row < rowEnd; row++) {
      const y = <f32>row - centerY;
      const b = blob.acrossB * y;
      const bb = f32x4.splat(b * b);
      let a = f32x4.add(leftA, f32x4.splat(blob.acrossA * y));
      let quad = quadAt(row, firstQuad);
      for (let column = firstQuad; column <= lastQuad; column++) {
        const distance = f32x4.add(f32x4.mul(a, a), bb);
        const reached = v128.and(f32x4.le(distance, limit), f32x4.ge(quad.transmittance, lowest));
        // Always written, but kept only if a pixel is overlapped: cheaper than an unpredictable branch.
        touch.falloff = distance;
        touch.before = reached;
        touch.a = a;
        touch.b = b;
        touch.quad = <u32>changetype<usize>(quad);
        touch = changetype<Touch>(changetype<usize>(touch) + <usize>v128.any_true(reached) * touchSize);
        a = f32x4.add(a, step);
        quad = changetype<Quad>(changetype<usize>(quad) + quadSize);
      }
    }
    touchEnd = changetype<usize>(touch);
    const opacity = f32x4.splat(blob.opacity);
    const red = f32x4.splat(blob.red);
    const green = f32x4.splat(blob.green);
    const blue = f32x4.splat(blob.blue);
    for (; touched < touchEnd; touched += touchSize) {
      const touch = changetype<Touch>(touched);
      const quad = changetype<Quad>(<usize>touch.quad);
      const transmittance = quad.transmittance;
      const falloff = v128.and(exp2OfMinus(touch.falloff), touch.before);
      const alpha = f32x4.pmin(f32x4.mul(opacity, falloff), maxAlpha);
      const weight = f32x4.mul(alpha, transmittance);
      quad.red = f32x4.add(quad.red, f32x4.mul(weight, red));
      quad.green = f32x4.add(quad.green, f32x4.mul(weight, green));
      quad.blue = f32x4.add(quad.blue, f32x4.mul(weight, blue));
      quad.transmittance = f32x4.mul(transmittance, f32x4.sub(one, f32x4.mul(taken, alpha)));
      touch.falloff = falloff;
      touch.before = transmittance;
    }
    if (records) store<u32>(touchEnds + ((<usize>(entry - first)) << 2), <u32>touchEnd);
  }
}

/**
 * Adds the background to the block's pixels and compares them with the target. Stores dL/d(C, T), and returns the squared error.
 */
function loss(weight: f32): f64 {
  const one = f32x4.splat(1);
  const fades = f32x4.splat(fading);
  const backed = f32x4.splat(backing);
  const twice = f32x4.splat(2 * weight);
  let squaredError = f64x2.splat(0);
  for (let row = 0; row < blockHeight; row++) {
    for (let column = 0; column < quadsAcross; column++) {
      const quad = quadAt(row, column);
      const bytes = v128.load(target + <usize>((blockTop + row) * width + blockLeft + (column << 2)) * 4);
      const shown = f32x4.sub(one, f32x4.mul(fades, quad.transmittance));
      const behind = f32x4.mul(backed, quad.transmittance);
      const inside = inBlock(column);
      const red = v128.and(inside, errorOf(quad.red, shown, behind, bytes));
      const green = v128.and(inside, errorOf(quad.green, shown, behind, i32x4.shr_u(bytes, 8)));
      const blue = v128.and(inside, errorOf(quad.blue, shown, behind, i32x4.shr_u(bytes, 16)));
      const squares = f32x4.add(f32x4.add(f32x4.mul(red, red), f32x4.mul(green, green)), f32x4.mul(blue, blue));
      squaredError = f64x2.add(squaredError, f64x2.promote_low_f32x4(squares));
      squaredError = f64x2.add(
        squaredError,
        f64x2.promote_low_f32x4(i8x16.shuffle(squares, squares, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)),
      );
      const perColor = f32x4.mul(twice, shown);
      quad.dRed = f32x4.mul(perColor, red);
      quad.dGreen = f32x4.mul(perColor, green);
      quad.dBlue = f32x4.mul(perColor, blue);
      const againstRed = f32x4.mul(red, f32x4.sub(backed, f32x4.mul(fades, quad.red)));
      const againstGreen = f32x4.mul(green, f32x4.sub(backed, f32x4.mul(fades, quad.green)));
      const againstBlue = f32x4.mul(blue, f32x4.sub(backed, f32x4.mul(fades, quad.blue)));
      quad.dTransmittance = f32x4.mul(twice, f32x4.add(f32x4.add(againstRed, againstGreen), againstBlue));
    }
  }
  return f64x2.extract_lane(squaredError, 0) + f64x2.extract_lane(squaredError, 1);
}

/** Returns a channel of four pixels with their background minus that of the target, the lowest byte of each lane. */
function errorOf(color: v128, shown: v128, behind: v128, bytes: v128): v128 {
  const targetColor = f32x4.div(f32x4.convert_i32x4_s(v128.and(bytes, i32x4.splat(255))), f32x4.splat(255));
  return f32x4.sub(f32x4.add(f32x4.mul(color, shown), behind), targetColor);
}

/** The sums of an entry; of four pixels, if gradients are clamped. */
const partial: usize = memory.data(144, 16);

/** Differentiates the entries that were blended last, back to front, and adds to their sums. */
function blendBackward(first: i32, end: i32, clamps: bool): void {
  const taken = f32x4.splat(attenuation);
  const maxAlpha = f32x4.splat(ceiling);
  const own = changetype<Sums>(partial);
  for (let entry = end - 1; entry >= first; entry--) {
    const start = entry > first ? <usize>load<u32>(touchEnds + ((<usize>(entry - 1 - first)) << 2)) : touches;
    let touched = <usize>load<u32>(touchEnds + ((<usize>(entry - first)) << 2));
    if (touched === start) continue;
    const member = memberOf(entry);
    const blob = blobOf(member);
    const opacity = f32x4.splat(blob.opacity);
    const red = f32x4.splat(blob.red);
    const green = f32x4.splat(blob.green);
    const blue = f32x4.splat(blob.blue);
    const total = changetype<Sums>(sums + member * sumsSize);
    memory.fill(partial, 0, sumsSize);
    while (touched > start) {
      touched -= touchSize;
      const touch = changetype<Touch>(touched);
      const quad = changetype<Quad>(<usize>touch.quad);
      const product = f32x4.mul(opacity, touch.falloff);
      const alpha = f32x4.pmin(product, maxAlpha);
      const transmittance = touch.before;
      const dRed = quad.dRed;
      const dGreen = quad.dGreen;
      const dBlue = quad.dBlue;
      const dTransmittance = quad.dTransmittance;
      const alongColor = f32x4.add(f32x4.add(f32x4.mul(dRed, red), f32x4.mul(dGreen, green)), f32x4.mul(dBlue, blue));
      const perTransmittance = f32x4.sub(alongColor, f32x4.mul(taken, dTransmittance));
      quad.dTransmittance = f32x4.add(dTransmittance, f32x4.mul(alpha, perTransmittance));
      const weight = f32x4.mul(alpha, transmittance);
      // At its ceiling alpha is constant.
      const dAlpha = v128.and(f32x4.mul(transmittance, perTransmittance), f32x4.lt(product, maxAlpha));
      const one = f32x4.mul(dAlpha, touch.falloff);
      const a = touch.a;
      const b = f32x4.splat(touch.b);
      const oneA = f32x4.mul(one, a);
      const oneB = f32x4.mul(one, b);
      own.a = f32x4.add(own.a, oneA);
      own.b = f32x4.add(own.b, oneB);
      own.aa = f32x4.add(own.aa, f32x4.mul(oneA, a));
      own.bb = f32x4.add(own.bb, f32x4.mul(oneB, b));
      own.ab = f32x4.add(own.ab, f32x4.mul(oneA, b));
      own.red = f32x4.add(own.red, f32x4.mul(dRed, weight));
      own.green = f32x4.add(own.green, f32x4.mul(dGreen, weight));
      own.blue = f32x4.add(own.blue, f32x4.mul(dBlue, weight));
      own.one = f32x4.add(own.one, one);
      if (!clamps) continue;
      toRawGradient(own, blob);
      addPartial(total, largestGradient);
      memory.fill(partial, 0, sumsSize);
    }
    if (!clamps) addPartial(total, Infinity);
  }
}

/**
 * Converts sums over pixels to gradients of the raw parameters, in member: a and b become the centre, a² and b² the
 * variances, ab the correlation, and 1 the opacity.
 */
function toRawGradient(sum: Sums, blob: Blob): void {
  const slant = f32x4.splat(blob.slant);
  const slantA = f32x4.mul(slant, sum.a);
  const slantAB = f32x4.mul(slant, sum.ab);
  const slantAA = f32x4.mul(slant, sum.aa);
  sum.a = f32x4.mul(f32x4.splat(blob.centerXFactor), sum.a);
  sum.b = f32x4.mul(f32x4.splat(blob.centerYFactor), f32x4.sub(sum.b, slantA));
  sum.aa = f32x4.mul(f32x4.splat(blob.varianceXFactor), f32x4.add(sum.aa, slantAB));
  sum.bb = f32x4.mul(f32x4.splat(blob.varianceYFactor), f32x4.sub(sum.bb, slantAB));
  sum.ab = f32x4.mul(f32x4.splat(blob.correlationFactor), f32x4.sub(sum.ab, slantAA));
  sum.red = f32x4.mul(f32x4.splat(blob.redFactor), sum.red);
  sum.green = f32x4.mul(f32x4.splat(blob.greenFactor), sum.green);
  sum.blue = f32x4.mul(f32x4.splat(blob.blueFactor), sum.blue);
  sum.one = f32x4.mul(f32x4.splat(blob.opacityFactor), sum.one);
}

/** Adds the sums in `partial`, each clamped. */
function addPartial(total: Sums, largest: f32): void {
  const high = f32x4.splat(largest);
  const low = f32x4.neg(high);
  for (let at: usize = 0; at < sumsSize; at += 16) {
    const clamped = f32x4.min(f32x4.max(v128.load(partial + at), low), high);
    const to = changetype<usize>(total) + at;
    v128.store(to, f32x4.add(v128.load(to), clamped));
  }
}

/** Writes the block's pixels with their background, and their transmittance, to rows of four numbers per pixel. */
function writePixels(to: usize, stride: usize): void {
  const one = f32x4.splat(1);
  for (let row = 0; row < blockHeight; row++) {
    for (let column = 0; column < quadsAcross; column++) {
      const quad = quadAt(row, column);
      const shown = f32x4.sub(one, f32x4.mul(f32x4.splat(fading), quad.transmittance));
      const behind = f32x4.mul(f32x4.splat(backing), quad.transmittance);
      quad.red = f32x4.add(f32x4.mul(quad.red, shown), behind);
      quad.green = f32x4.add(f32x4.mul(quad.green, shown), behind);
      quad.blue = f32x4.add(f32x4.mul(quad.blue, shown), behind);
      for (let x = column << 2; x < min<i32>((column + 1) << 2, blockWidth); x++) {
        const pixel = to + <usize>row * stride + ((<usize>x) << 4);
        const lane = changetype<usize>(quad) + ((<usize>(x & 3)) << 2);
        for (let channel: usize = 0; channel < 4; channel++) {
          store<f32>(pixel + (channel << 2), load<f32>(lane + (channel << 4)));
        }
      }
    }
  }
}
