// The blobs of each part of the picture, and of each tile of a part: those whose support, the ellipse of four standard
// deviations, holds a pixel of it. Lists are in ascending order.
import { Blob, blobStride, decodeBlobs } from "./decode";
import { blobs, height, partHeight, partsAcross, partsDown, partWidth, tileHeight, tileWidth, width } from "./job";
import { allocate, mark, release } from "./memory";

/** The decoded blobs. */
export let decoded: usize = 0;
/** Part p's blobs are from partOffsets[p] to partOffsets[p + 1] in partBlobs; uint32. */
let partOffsets: usize = 0;
let partBlobs: usize = 0;
/** Where the memory of a part begins. */
let afterParts: usize = 0;
let afterJob: usize = 0;

/** The part whose tiles are listed: its first pixel and the pixel after its last. */
export let left: i32 = 0;
export let top: i32 = 0;
export let right: i32 = 0;
export let bottom: i32 = 0;
/** Its blobs, and how many. */
export let members: usize = 0;
export let memberCount: i32 = 0;
/** Its tiles, row by row: the list of tile t is from tileOffsets[t] to tileOffsets[t + 1] in tileMembers, as places among the part's blobs; uint32. */
export let across: i32 = 0;
export let down: i32 = 0;
export let tileOffsets: usize = 0;
export let tileMembers: usize = 0;
export let longestList: i32 = 0;

/** Allocates what every step needs. */
export function allocateLists(): void {
  decoded = allocate(<usize>blobs * blobStride);
  partOffsets = allocate((<usize>(partsAcross * partsDown) + 1) << 2);
  afterJob = mark();
}

/** Pixels that a box reaches further on each side, beyond what rounding can take from it. */
const slack: f64 = 1e-3;

/** Returns the first pixel at or after a coordinate, from 0 to a limit. */
function firstPixel(coordinate: f64, limit: i32): i32 {
  return <i32>ceil<f64>(min<f64>(max<f64>(coordinate - slack, 0), <f64>limit));
}

/** Returns the last pixel at or before a coordinate, from -1 to the one before a limit. */
function lastPixel(coordinate: f64, limit: i32): i32 {
  return <i32>floor<f64>(min<f64>(max<f64>(coordinate + slack, -1), <f64>(limit - 1)));
}

/** Decodes the blobs and lists those of each part, by the boxes around their supports. */
export function listParts(): void {
  decodeBlobs(decoded);
  release(afterJob);
  const count = partsAcross * partsDown;
  memory.fill(partOffsets, 0, (<usize>count + 1) << 2);
  // Counting sort: counts at an offset of one, then each blob at the next free place of its part.
  for (let i = 0; i < blobs; i++) visitParts(i, false);
  for (let p = 0; p < count; p++) store<u32>(offset(p + 1), load<u32>(offset(p + 1)) + load<u32>(offset(p)));
  partBlobs = allocate((<usize>load<u32>(offset(count))) << 2);
  for (let i = 0; i < blobs; i++) visitParts(i, true);
  // By now each has moved on to its end.
  for (let p = count; p > 0; p--) store<u32>(offset(p), load<u32>(offset(p - 1)));
  store<u32>(offset(0), 0);
  afterParts = mark();
}

function offset(p: i32): usize {
  return partOffsets + ((<usize>p) << 2);
}

function visitParts(i: i32, puts: bool): void {
  const blob = changetype<Blob>(decoded + <usize>i * blobStride);
  const reachX = <f64>blob.reachX;
  const reachY = <f64>blob.reachY;
  // What is no number is nowhere.
  if (!(blob.centerX - reachX < <f64>width && blob.centerY - reachY < <f64>height)) return;
  if (!(blob.centerX + reachX > -1 && blob.centerY + reachY > -1)) return;
  const firstX = firstPixel(blob.centerX - reachX, width);
  const lastX = lastPixel(blob.centerX + reachX, width);
  const firstY = firstPixel(blob.centerY - reachY, height);
  const lastY = lastPixel(blob.centerY + reachY, height);
  if (firstX > lastX || firstY > lastY) return;
  const sideX = partWidth * tileWidth;
  const sideY = partHeight * tileHeight;
  for (let y = firstY / sideY; y <= lastY / sideY; y++) {
    for (let x = firstX / sideX; x <= lastX / sideX; x++) {
      const p = y * partsAcross + x;
      if (puts) {
        const at = load<u32>(offset(p));
        store<u32>(partBlobs + ((<usize>at) << 2), i);
        store<u32>(offset(p), at + 1);
      } else {
        store<u32>(offset(p + 1), load<u32>(offset(p + 1)) + 1);
      }
    }
  }
}

/** Lists the blobs of a part's tiles, and drops the lists of the part before. */
export function listTiles(part: i32): void {
  release(afterParts);
  left = (part % partsAcross) * partWidth * tileWidth;
  top = (part / partsAcross) * partHeight * tileHeight;
  right = min<i32>(left + partWidth * tileWidth, width);
  bottom = min<i32>(top + partHeight * tileHeight, height);
  across = (right - left + tileWidth - 1) / tileWidth;
  down = (bottom - top + tileHeight - 1) / tileHeight;
  members = partBlobs + ((<usize>load<u32>(offset(part))) << 2);
  memberCount = <i32>(load<u32>(offset(part + 1)) - load<u32>(offset(part)));
  const count = across * down;
  tileOffsets = allocate((<usize>count + 1) << 2);
  memory.fill(tileOffsets, 0, (<usize>count + 1) << 2);
  spans = allocate(<usize>memberCount * <usize>down * spanSize);
  spansEnd = spans;
  for (let place = 0; place < memberCount; place++) findSpans(place);
  longestList = 0;
  for (let t = 0; t < count; t++) {
    const length = load<u32>(tileOffset(t + 1));
    longestList = max<i32>(longestList, <i32>length);
    store<u32>(tileOffset(t + 1), length + load<u32>(tileOffset(t)));
  }
  tileMembers = allocate((<usize>load<u32>(tileOffset(count))) << 2);
  for (let at = spans; at < spansEnd; at += spanSize) {
    const span = changetype<Span>(at);
    for (let t = span.first; t <= span.last; t++) {
      const entry = load<u32>(tileOffset(t));
      store<u32>(tileMembers + ((<usize>entry) << 2), span.place);
      store<u32>(tileOffset(t), entry + 1);
    }
  }
  // By now each has moved on to its end.
  for (let t = count; t > 0; t--) store<u32>(tileOffset(t), load<u32>(tileOffset(t - 1)));
  store<u32>(tileOffset(0), 0);
}

export function tileOffset(t: i32): usize {
  return tileOffsets + ((<usize>t) << 2);
}

/** Tiles of one row, from the first to the last, that a blob's ellipse meets. */
@unmanaged
class Span {
  first: i32;
  last: i32;
  place: u32;
}

const spanSize: usize = 12;
let spans: usize = 0;
let spansEnd: usize = 0;

/** Finds a blob's tiles, row by row: those from its leftmost to its rightmost pixel there. */
function findSpans(place: i32): void {
  const blob = changetype<Blob>(decoded + <usize>load<u32>(members + ((<usize>place) << 2)) * blobStride);
  const deviationX = <f64>blob.reachX / 4;
  const perDeviationY = 4 / <f64>blob.reachY;
  const correlation = <f64>blob.correlation;
  const flatness = <f64>blob.flatness;
  const firstY = max<i32>(firstPixel(blob.centerY - <f64>blob.reachY, height), top);
  const lastY = min<i32>(lastPixel(blob.centerY + <f64>blob.reachY, height), bottom - 1);
  const lastRow = (lastY - top) / tileHeight;
  for (let row = (firstY - top) / tileHeight; row <= lastRow; row++) {
    const rowTop = max<i32>(firstY, top + row * tileHeight);
    const rowBottom = min<i32>(lastY, top + (row + 1) * tileHeight - 1);
    // In standard deviations; the ellipse reaches furthest to the right at 4 rho, and to the left at -4 rho.
    const from = (<f64>rowTop - blob.centerY - slack) * perDeviationY;
    const to = (<f64>rowBottom - blob.centerY + slack) * perDeviationY;
    const rightmost = min<f64>(max<f64>(4 * correlation, from), to);
    const leftmost = min<f64>(max<f64>(-4 * correlation, from), to);
    const farRight = correlation * rightmost + flatness * sqrt<f64>(max<f64>(16 - rightmost * rightmost, 0));
    const farLeft = correlation * leftmost - flatness * sqrt<f64>(max<f64>(16 - leftmost * leftmost, 0));
    const firstX = max<i32>(firstPixel(blob.centerX + deviationX * farLeft, width), left);
    const lastX = min<i32>(lastPixel(blob.centerX + deviationX * farRight, width), right - 1);
    if (firstX > lastX) continue;
    const span = changetype<Span>(spansEnd);
    span.first = row * across + (firstX - left) / tileWidth;
    span.last = row * across + (lastX - left) / tileWidth;
    span.place = place;
    spansEnd += spanSize;
    for (let t = span.first; t <= span.last; t++) {
      store<u32>(tileOffset(t + 1), load<u32>(tileOffset(t + 1)) + 1);
    }
  }
}
