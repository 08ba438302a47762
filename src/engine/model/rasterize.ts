import { clampGradient, gradientLimitOf } from "./accumulate.js";
import {
  alphaBlendBackward,
  attenuationOf,
  clearPixelState,
  compositeChannel,
  lossBackward,
  type PixelState,
  transformPixelState,
  undoPixelState,
} from "./blend.js";
import { alphaOf, type Blob, type BlobValues, evalBackward, evalFalloff } from "./blob.js";
import { parameterCount } from "./blobs.js";
import type { TiledBlobs } from "./tiledBlobs.js";
import { tileArea } from "./uv.js";

/** What some tiles add to the loss and its gradient. */
interface Derivatives {
  /** Σ over the tiles' pixels and rgb of (out − target)². */
  squaredError: number;
  /** dL/draw of all blobs, field-major. */
  gradients: Float64Array;
}

/** Callbacks of `differentiate`; their arguments are reused after each call. */
interface RasterizeObserver {
  /** Called for each pixel after its last blob. */
  pixel?(state: PixelState): void;
  /** Called for each blob that reaches a pixel, back to front, with its index and dL/d(values) there. */
  blob?(i: number, gradient: BlobValues): void;
}

/**
 * Runs one forward and backward pass over the pixels of the tiles first ≤ t < end. Each blob's gradient is summed in pixel
 * order.
 * @param target RGBA bytes of the render's size
 */
export function differentiate(
  { size, tile, across, uv, background, model, blobs, lists }: TiledBlobs,
  target: ArrayLike<number>,
  observer?: RasterizeObserver,
  first = 0,
  end = lists.length,
): Derivatives {
  const attenuation = attenuationOf(model.blend);
  const largest = gradientLimitOf(model.parameterization);
  const gradients = new Float64Array(parameterCount * blobs.length); //@ clear.store
  const falloffs: number[] = [];
  const state = newPixelState();
  const dState = newPixelState();
  const gradient = newBlobValues();
  const color = [0, 0, 0];
  const weight = 1 / (size.width * size.height);
  let squaredError = 0;
  for (let t = first; t < end; t++) {
    const list = lists[t];
    const tileBlobs = list.map((i) => blobs[i]);
    const { left, right, top, bottom } = tileArea(t, across, tile, size);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const pixel = 4 * (y * size.width + x);
        const u = x * uv.scaleX + uv.offsetX;
        const v = y * uv.scaleY + uv.offsetY;
        clearPixelState(state);
        fineRasterize(tileBlobs, u, v, attenuation, state, falloffs);
        for (let channel = 0; channel < 3; channel++) color[channel] = target[pixel + channel] / 255;
        squaredError += lossBackward(state, color, background, weight, dState);
        observer?.pixel?.(state);
        //@ undo.loop
        for (let index = state.finalCount; index > 0; index--) {
          const falloff = falloffs[index - 1];
          const blob = tileBlobs[index - 1];
          const alpha = alphaOf(blob, falloff); //@ undo.eval
          undoPixelState(state, index, blob, alpha, attenuation); //@ undo.before
          if (falloff === 0) continue;
          const dAlpha = alphaBlendBackward(state, blob, alpha, attenuation, dState, gradient); //@ undo.adjoint
          evalBackward(blob, u, v, falloff, dAlpha, gradient); //@ undo.parameters
          accumulate(gradients, list[index - 1], gradient, blob.slope, largest); //@ chain
          observer?.blob?.(list[index - 1], gradient);
        }
      }
    }
  }
  return { squaredError, gradients };
}

/** Runs only the forward pass, and returns RGB and transmittance of each pixel, row by row. */
export function draw({ size, tile, across, uv, background, model, blobs, lists }: TiledBlobs): Float32Array {
  const attenuation = attenuationOf(model.blend);
  const state = newPixelState();
  const pixels = new Float32Array(4 * size.width * size.height);
  for (const [t, list] of lists.entries()) {
    const tileBlobs = list.map((i) => blobs[i]);
    const { left, right, top, bottom } = tileArea(t, across, tile, size);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        clearPixelState(state);
        fineRasterize(tileBlobs, x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY, attenuation, state);
        const { red, green, blue, transmittance } = state;
        const colors = [red, green, blue].map((channel) => compositeChannel(channel, transmittance, background));
        pixels.set([...colors, transmittance], 4 * (y * size.width + x)); //@ draw.store
      }
    }
  }
  return pixels;
}

/** Blends a tile's blobs into one pixel, front to back. CPU reference of shaders/tiled/fineRasterize.wgsl. */
function fineRasterize(
  blobs: Blob[],
  u: number,
  v: number,
  attenuation: number,
  state: PixelState,
  falloffs?: number[],
): void {
  //@ blend.loop
  for (let index = 0; index < blobs.length; index++) {
    const falloff = evalFalloff(blobs[index], u, v);
    if (falloffs) falloffs[index] = falloff;
    if (!transformPixelState(state, blobs[index], alphaOf(blobs[index], falloff), attenuation)) return; //@ blend.eval
  }
}

/** Adds one pixel's gradient of a blob, times the slopes of decoding and clamped, to the buffer. */
function accumulate(
  gradients: Float64Array,
  i: number,
  gradient: BlobValues,
  slope: BlobValues,
  largest: number,
): void {
  const blobs = gradients.length / parameterCount;
  gradients[i] += clampGradient(gradient.centerX * slope.centerX, largest);
  gradients[blobs + i] += clampGradient(gradient.centerY * slope.centerY, largest);
  gradients[2 * blobs + i] += clampGradient(gradient.varianceX * slope.varianceX, largest);
  gradients[3 * blobs + i] += clampGradient(gradient.varianceY * slope.varianceY, largest);
  gradients[4 * blobs + i] += clampGradient(gradient.correlation * slope.correlation, largest);
  gradients[5 * blobs + i] += clampGradient(gradient.red * slope.red, largest);
  gradients[6 * blobs + i] += clampGradient(gradient.green * slope.green, largest);
  gradients[7 * blobs + i] += clampGradient(gradient.blue * slope.blue, largest);
  gradients[8 * blobs + i] += clampGradient(gradient.opacity * slope.opacity, largest);
}

/** Fractions, so that the JavaScript engine stores the numbers as doubles from the start. */
function newPixelState(): PixelState {
  return { red: 0.5, green: 0.5, blue: 0.5, transmittance: 0.5, finalCount: 0 };
}

function newBlobValues(): BlobValues {
  const half = 0.5;
  return {
    centerX: half,
    centerY: half,
    varianceX: half,
    varianceY: half,
    correlation: half,
    red: half,
    green: half,
    blue: half,
    opacity: half,
  };
}
