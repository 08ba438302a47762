// Lists of the blobs of each task, and of each tile of a task: blobs with a support, the ellipse of four standard
// deviations, that contains one of its pixels. Lists are in ascending order.
import { Blob, blobStride, decodeBlobs } from "./decode";
import { blobs, height, taskHeight, tasksAcross, tasksDown, taskWidth, tileHeight, tileWidth, width } from "./job";
import { allocate, mark, release } from "./memory";

/** The decoded blobs. */
export let decoded: usize = 0;
/** Task p's blobs are from taskOffsets[p] to taskOffsets[p + 1] in taskBlobs; uint32. */
let taskOffsets: usize = 0;
let taskBlobs: usize = 0;
/** Marks after the memory of all tasks, and of the job. */
let afterTasks: usize = 0;
let afterJob: usize = 0;

/** The current task: its first pixel and the pixel after its last. */
export let left: i32 = 0;
export let top: i32 = 0;
export let right: i32 = 0;
export let bottom: i32 = 0;
/** Its blobs, and their number. */
export let members: usize = 0;
export let memberCount: i32 = 0;
/**
 * Its tiles, row by row: the list of tile t is from tileOffsets[t] to tileOffsets[t + 1] in tileMembers, as indices of
 * the task's blobs; uint32.
 */
export let across: i32 = 0;
export let down: i32 = 0;
export let tileOffsets: usize = 0;
export let tileMembers: usize = 0;
export let longestList: i32 = 0;

/** Allocates the buffers of every step. */
export function allocateLists(): void {
  decoded = allocate(<usize>blobs * blobStride);
  taskOffsets = allocate((<usize>(tasksAcross * tasksDown) + 1) << 2);
  afterJob = mark();
}

/** Pixels by which boxes are enlarged on each side against rounding. */
const slack: f64 = 1e-3;

/** Returns the first pixel at or after a coordinate, from 0 to a limit. */
function firstPixel(coordinate: f64, limit: i32): i32 {
  return <i32>ceil<f64>(min<f64>(max<f64>(coordinate - slack, 0), <f64>limit));
}

/** Returns the last pixel at or before a coordinate, from -1 to the one before a limit. */
function lastPixel(coordinate: f64, limit: i32): i32 {
  return <i32>floor<f64>(min<f64>(max<f64>(coordinate + slack, -1), <f64>(limit - 1)));
}

/** Decodes the blobs and lists those of each task, by the boxes around their supports. */
export function listParts(): void {
  decodeBlobs(decoded);
  release(afterJob);
  const count = tasksAcross * tasksDown;
  memory.fill(taskOffsets, 0, (<usize>count + 1) << 2);
  // Counting sort: counts at an offset of one, then each blob at the next free index of its task.
  for (let i = 0; i < blobs; i++) visitTasks(i, false);
  for (let p = 0; p < count; p++) store<u32>(offset(p + 1), load<u32>(offset(p + 1)) + load<u32>(offset(p)));
  taskBlobs = allocate((<usize>load<u32>(offset(count))) << 2);
  for (let i = 0; i < blobs; i++) visitTasks(i, true);
  // Each offset has advanced to its end.
  for (let p = count; p > 0; p--) store<u32>(offset(p), load<u32>(offset(p - 1)));
  store<u32>(offset(0), 0);
  afterTasks = mark();
}

function offset(p: i32): usize {
  return taskOffsets + ((<usize>p) << 2);
}

function visitTasks(i: i32, writes: bool): void {
  const blob = changetype<Blob>(decoded + <usize>i * blobStride);
  const reachX = <f64>blob.reachX;
  const reachY = <f64>blob.reachY;
  // NaN overlaps nothing.
  if (!(blob.centerX - reachX < <f64>width && blob.centerY - reachY < <f64>height)) return;
  if (!(blob.centerX + reachX > -1 && blob.centerY + reachY > -1)) return;
  const firstX = firstPixel(blob.centerX - reachX, width);
  const lastX = lastPixel(blob.centerX + reachX, width);
  const firstY = firstPixel(blob.centerY - reachY, height);
  const lastY = lastPixel(blob.centerY + reachY, height);
  if (firstX > lastX || firstY > lastY) return;
  const sideX = taskWidth * tileWidth;
  const sideY = taskHeight * tileHeight;
  for (let y = firstY / sideY; y <= lastY / sideY; y++) {
    for (let x = firstX / sideX; x <= lastX / sideX; x++) {
      const p = y * tasksAcross + x;
      if (writes) {
        const at = load<u32>(offset(p));
        store<u32>(taskBlobs + ((<usize>at) << 2), i);
        store<u32>(offset(p), at + 1);
      } else {
        store<u32>(offset(p + 1), load<u32>(offset(p + 1)) + 1);
      }
    }
  }
}

/** Lists the blobs of a task's tiles, and frees the lists of the previous task. */
export function listTiles(task: i32): void {
  release(afterTasks);
  left = (task % tasksAcross) * taskWidth * tileWidth;
  top = (task / tasksAcross) * taskHeight * tileHeight;
  right = min<i32>(left + taskWidth * tileWidth, width);
  bottom = min<i32>(top + taskHeight * tileHeight, height);
  across = (right - left + tileWidth - 1) / tileWidth;
  down = (bottom - top + tileHeight - 1) / tileHeight;
  members = taskBlobs + ((<usize>load<u32>(offset(task))) << 2);
  memberCount = <i32>(load<u32>(offset(task + 1)) - load<u32>(offset(task)));
  const count = across * down;
  tileOffsets = allocate((<usize>count + 1) << 2);
  memory.fill(tileOffsets, 0, (<usize>count + 1) << 2);
  spans = allocate(<usize>memberCount * <usize>down * spanSize);
  spansEnd = spans;
  for (let member = 0; member < memberCount; member++) findSpans(member);
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
      store<u32>(tileMembers + ((<usize>entry) << 2), span.member);
      store<u32>(tileOffset(t), entry + 1);
    }
  }
  // Each offset has advanced to its end.
  for (let t = count; t > 0; t--) store<u32>(tileOffset(t), load<u32>(tileOffset(t - 1)));
  store<u32>(tileOffset(0), 0);
}

export function tileOffset(t: i32): usize {
  return tileOffsets + ((<usize>t) << 2);
}

/** Tiles of one row, from the first to the last, that a blob's ellipse overlaps. */
@unmanaged
class Span {
  first: i32;
  last: i32;
  member: u32;
}

const spanSize: usize = 12;
let spans: usize = 0;
let spansEnd: usize = 0;

/** Finds a blob's tiles, row by row, from its leftmost to its rightmost pixel. */
function findSpans(member: i32): void {
  const blob = changetype<Blob>(decoded + <usize>load<u32>(members + ((<usize>member) << 2)) * blobStride);
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
    // In standard deviations; the ellipse extends furthest right at 4 rho, and furthest left at -4 rho.
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
    span.member = member;
    spansEnd += spanSize;
    for (let t = span.first; t <= span.last; t++) {
      store<u32>(tileOffset(t + 1), load<u32>(tileOffset(t + 1)) + 1);
    }
  }
}
