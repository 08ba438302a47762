// The gradients of all blobs, and Adam's steps along them; reference: src/engine/model/adam.ts.
import { blobs, parameters } from "./job";
import { allocate } from "./memory";

/** dL/draw of all blobs, in the layout of the parameters, and its sum in progress. */
export let gradients: usize = 0;
let sum: usize = 0;
/** Adam's moments, in the layout of the parameters. */
export let firstMoments: usize = 0;
export let secondMoments: usize = 0;
/** Learning rate of each raw parameter of a blob for the next step; nine float32. */
export const rates: usize = memory.data(36, 16);

/** Allocates the buffers of training. */
export function allocateOptimizer(): void {
  gradients = allocate(<usize>blobs * 36);
  sum = allocate(<usize>blobs * 36);
  firstMoments = allocate(<usize>blobs * 36);
  secondMoments = allocate(<usize>blobs * 36);
}

/** Starts a sum of gradients. */
export function beginSum(): void {
  memory.fill(sum, 0, <usize>blobs * 36);
}

/** Replaces the gradients with the sums. */
export function keepSum(): void {
  const before = gradients;
  gradients = sum;
  sum = before;
}

/** Adds the gradients of some blobs, nine per blob, to the sum. */
export function addGradients(members: usize, count: i32, partial: usize): void {
  const stride = (<usize>blobs) << 2;
  for (let member: usize = 0; member < <usize>count; member++) {
    let to = sum + ((<usize>load<u32>(members + (member << 2))) << 2);
    const from = partial + member * 36;
    for (let field: usize = 0; field < 9; field++, to += stride) {
      store<f32>(to, load<f32>(to) + load<f32>(from + (field << 2)));
    }
  }
}

/** Smaller moments are set to zero: they have no effect, and denormal numbers are slow. */
const smallest: f32 = 1e-36;

/** Applies one step of Adam to every parameter: four at a time, the last ones of each field one by one. */
export function updateBlobs(
  beta1: f32,
  beta2: f32,
  rest1: f32,
  rest2: f32,
  epsilon: f32,
  correction1: f32,
  correction2: f32,
): void {
  for (let field = 0; field < 9; field++) {
    const rate = f32x4.splat(load<f32>(rates + ((<usize>field) << 2)));
    const end = <usize>(field + 1) * <usize>blobs;
    let slot = <usize>field * <usize>blobs;
    while (slot < end) {
      const isFour = slot + 4 <= end;
      const at = slot << 2;
      const gradient = read(gradients + at, isFour);
      const first = f32x4.mul(f32x4.splat(beta1), read(firstMoments + at, isFour));
      const second = f32x4.mul(f32x4.splat(beta2), read(secondMoments + at, isFour));
      const square = f32x4.mul(f32x4.mul(f32x4.splat(rest2), gradient), gradient);
      const m = flushed(f32x4.add(first, f32x4.mul(f32x4.splat(rest1), gradient)));
      const v = flushed(f32x4.add(second, square));
      const size = f32x4.add(f32x4.sqrt(f32x4.div(v, f32x4.splat(correction2))), f32x4.splat(epsilon));
      const step = f32x4.mul(f32x4.div(rate, size), f32x4.div(m, f32x4.splat(correction1)));
      write(firstMoments + at, m, isFour);
      write(secondMoments + at, v, isFour);
      write(parameters + at, f32x4.sub(read(parameters + at, isFour), step), isFour);
      slot += isFour ? 4 : 1;
    }
  }
}

/** Reads four numbers, or one and three zeros. */
function read(from: usize, isFour: bool): v128 {
  return isFour ? v128.load(from) : v128.load32_zero(from);
}

/** Writes four numbers, or the first. */
function write(to: usize, numbers: v128, isFour: bool): void {
  if (isFour) v128.store(to, numbers);
  else v128.store32_lane(to, numbers, 0);
}

function flushed(x: v128): v128 {
  return v128.andnot(x, f32x4.lt(f32x4.abs(x), f32x4.splat(smallest)));
}
