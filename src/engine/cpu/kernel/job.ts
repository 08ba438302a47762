// A job: the size of an image, its tiles and tasks, and how blobs are blended. src/engine/cpu/kernel.ts sets it.
import { allocate } from "./memory";

/** Size of the image in pixels. */
export let width: i32 = 0;
export let height: i32 = 0;
/** Size of a tile in pixels; the last ones may extend beyond the edge. */
export let tileWidth: i32 = 0;
export let tileHeight: i32 = 0;
/** Size of a task in tiles. */
export let taskWidth: i32 = 0;
export let taskHeight: i32 = 0;
/** uv = pixel · scale + offset. */
export let scaleX: f64 = 0;
export let scaleY: f64 = 0;
export let offsetX: f64 = 0;
export let offsetY: f64 = 0;

export let blobs: i32 = 0;
/** Entries of a tile's list per pass. */
export let capacity: i32 = 0;
/** Whether parameters are direct, or smoothsteps. */
export let isDirect: bool = false;
/** Size of the target, the unit of direct parameters. */
export let textureWidth: f64 = 0;
export let textureHeight: f64 = 0;
export let covarianceScale: f64 = 0;
/** Fraction of its alpha by which a blob attenuates those behind it: 1 in alpha compositing, 0 in a sum. */
export let attenuation: f32 = 0;
/** The largest alpha. */
export let ceiling: f32 = 0;
/** A channel of the pixel is C (1 - fading T) + backing T. */
export let fading: f32 = 0;
export let backing: f32 = 0;
/** The limit to which a pixel's gradient of each raw parameter is clamped; infinite if none can reach it. */
export let largestGradient: f32 = 0;

/** Number of tasks. */
export let tasksAcross: i32 = 0;
export let tasksDown: i32 = 0;
/** Raw parameters, field-major; float32. */
export let parameters: usize = 0;
/** The target's RGBA bytes. */
export let target: usize = 0;

/** Allocates the buffers that the job needs first. */
export function allocateJob(): void {
  // Pixels are read in fours, so up to three beyond the last.
  target = allocate(<usize>width * <usize>height * 4 + 16);
  parameters = allocate(<usize>blobs * 9 * 4);
}
