// What a job is: a picture of some size, its tiles and parts, and how blobs are drawn on it.
import { allocate } from "./memory";

/** The picture, in pixels. */
export let width: i32 = 0;
export let height: i32 = 0;
/** Tiles, in pixels; the last ones may reach over the edge. */
export let tileWidth: i32 = 0;
export let tileHeight: i32 = 0;
/** Parts, in tiles. */
export let partWidth: i32 = 0;
export let partHeight: i32 = 0;
export let partsAcross: i32 = 0;
export let partsDown: i32 = 0;
/** From pixels to UV: uv = pixel · scale + offset. */
export let scaleX: f64 = 0;
export let scaleY: f64 = 0;
export let offsetX: f64 = 0;
export let offsetY: f64 = 0;

export let blobs: i32 = 0;
/** Entries of a tile's list that are blended in one pass. */
export let capacity: i32 = 0;
/** Whether centres, variances and correlation are raw in pixels, or smoothsteps. */
export let isDirect: bool = false;
/** The target's size, in which direct blobs are measured. */
export let textureWidth: f64 = 0;
export let textureHeight: f64 = 0;
export let covarianceScale: f64 = 0;
/** How much of its alpha a blob takes from those behind it: 1 over them, 0 in a sum. */
export let attenuation: f32 = 0;
/** The largest alpha. */
export let ceiling: f32 = 0;
/** A channel of the pixel is C (1 - fading T) + backing T. */
export let fading: f32 = 0;
export let backing: f32 = 0;
/** What a pixel's gradient of each raw parameter is clamped to; infinite where none can be as large. */
export let largestGradient: f32 = 0;

/** Raw parameters, field-major; float32. */
export let parameters: usize = 0;
/** The target's RGBA bytes. */
export let target: usize = 0;

export function setPicture(
  pictureWidth: i32,
  pictureHeight: i32,
  widthOfTile: i32,
  heightOfTile: i32,
  widthOfPart: i32,
  heightOfPart: i32,
): void {
  width = pictureWidth;
  height = pictureHeight;
  tileWidth = widthOfTile;
  tileHeight = heightOfTile;
  partWidth = widthOfPart;
  partHeight = heightOfPart;
  partsAcross = divideUp(divideUp(width, tileWidth), partWidth);
  partsDown = divideUp(divideUp(height, tileHeight), partHeight);
  // Four pixels are read at a time, of which three can be beyond the last.
  target = allocate(<usize>width * <usize>height * 4 + 16);
}

export function setMapping(scaleOfX: f64, scaleOfY: f64, offsetOfX: f64, offsetOfY: f64): void {
  scaleX = scaleOfX;
  scaleY = scaleOfY;
  offsetX = offsetOfX;
  offsetY = offsetOfY;
}

export function setModel(
  count: i32,
  blobsAtATime: i32,
  direct: bool,
  widthOfTexture: f64,
  heightOfTexture: f64,
  scaleOfCovariance: f64,
): void {
  blobs = count;
  capacity = blobsAtATime;
  isDirect = direct;
  textureWidth = widthOfTexture;
  textureHeight = heightOfTexture;
  covarianceScale = scaleOfCovariance;
  parameters = allocate(<usize>blobs * 9 * 4);
}

export function setBlending(
  attenuationOfBlend: f32,
  largestAlpha: f32,
  fadingOfBackground: f32,
  backingOfBackground: f32,
  largest: f32,
): void {
  attenuation = attenuationOfBlend;
  ceiling = largestAlpha;
  fading = fadingOfBackground;
  backing = backingOfBackground;
  largestGradient = largest;
}

function divideUp(a: i32, b: i32): i32 {
  return (a + b - 1) / b;
}
