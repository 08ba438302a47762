import { clampGradient, gradientLimitOf } from "./accumulate.js";
import {
  alphaBlendBackward,
  attenuationOf,
  clearPixelState,
  compositeChannel,
  lossBackward,
  lowestTransmittance,
  type PixelState,
  transformPixelState,
  undoPixelState,
} from "./blend.js";
import { alphaOf, type Blob, type BlobValues, decode, decodeAll, evalBackward, evalFalloff } from "./blob.js";
import { parameterCount } from "./blobs.js";
import type { RenderTask } from "./renderTasks.js";
import { tileArea } from "./uv.js";

/** What a task adds to the loss and its gradient. */
interface Derivatives {
  /** Σ over the task's pixels and rgb of (out − target)². */
  squaredError: number;
  /** Indices of the task's blobs in the whole buffer. */
  blobs: Uint32Array;
  /** dL/draw of these blobs, field-major. */
  gradients: Float64Array;
}

/** Callbacks of `differentiate`; their arguments are reused after each call. */
interface RasterizeObserver {
  /** Called for each pixel after its last blob, with its squared error and dL/d(C, T). */
  pixel?(x: number, y: number, state: PixelState, squaredError: number, d: PixelState): void;
  /**
   * Called for each blob that reaches the pixel, back to front: its index in the task, α and dL/dα, the state before it,
   * dL/d(C, T) there, and dL/d(values).
   */
  blob?(
    localIndex: number,
    alpha: number,
    dAlpha: number,
    before: PixelState,
    d: PixelState,
    gradient: BlobValues,
  ): void;
}

/**
 * Runs one forward and backward pass over the pixels of a task. Each blob's gradient is summed in pixel order.
 * @param largest bound of a pixel's gradients
 */
export function differentiate(
  { render, firstTile, offsets, list, blobs, parameters, target }: RenderTask,
  largest = gradientLimitOf(render.model.parameterization),
  observer?: RasterizeObserver,
): Derivatives {
  const { size, tile, across, uv, background, model } = render;
  const decoded = decodeAll(parameters, model);
  const attenuation = attenuationOf(model.blend);
  const gradients = new Float64Array(parameters.length); //@ clear.store
  const falloffs = new Float64Array(longestList(offsets));
  const state = newPixelState();
  const dState = newPixelState();
  const gradient = newBlobValues();
  const color = [0, 0, 0];
  const weight = 1 / (size.width * size.height);
  let squaredError = 0;
  let pixel = 0;
  for (let t = 0; t + 1 < offsets.length; t++) {
    const localIndices = list.subarray(offsets[t], offsets[t + 1]);
    const tileBlobs = selectBlobs(localIndices, decoded);
    const { left, right, top, bottom } = tileArea(firstTile + t, across, tile, size);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++, pixel += 4) {
        const u = x * uv.scaleX + uv.offsetX;
        const v = y * uv.scaleY + uv.offsetY;
        clearPixelState(state);
        fineRasterize(tileBlobs, u, v, attenuation, state, falloffs);
        for (let channel = 0; channel < 3; channel++) color[channel] = target[pixel + channel] / 255;
        const pixelError = lossBackward(state, color, background, weight, dState);
        squaredError += pixelError;
        observer?.pixel?.(x, y, state, pixelError, dState);
        //@ undo.loop
        for (let index = state.finalCount; index > 0; index--) {
          const falloff = falloffs[index - 1];
          const blob = tileBlobs[index - 1];
          const alpha = alphaOf(blob, falloff); //@ undo.eval
          undoPixelState(state, index, blob, alpha, attenuation); //@ undo.before
          if (falloff === 0) continue;
          const dAlpha = alphaBlendBackward(state, blob, alpha, attenuation, dState, gradient); //@ undo.adjoint
          evalBackward(blob, u, v, falloff, dAlpha, gradient); //@ undo.parameters
          accumulate(gradients, localIndices[index - 1], gradient, blob.slope, largest); //@ chain
          observer?.blob?.(localIndices[index - 1], alpha, dAlpha, state, dState, gradient);
        }
      }
    }
  }
  return { squaredError, blobs, gradients };
}

/** Most blobs that are decoded at once, at half a kilobyte each: of a task, and of a tile if the task has more. */
const [maxDecoded, maxTileBlobs] = [2 ** 16, 2 ** 12];

/** Runs only the forward pass over the pixels of a task, and returns their RGB and transmittance. */
export function draw({ render, firstTile, offsets, list, parameters }: RenderTask): Float32Array {
  const { size, tile, across, uv, background, model } = render;
  const decodesAll = parameters.length / parameterCount <= maxDecoded;
  const decoded = decodesAll ? decodeAll(parameters, model) : [];
  const blobOf = (localIndex: number) => decoded[localIndex] ?? decode(parameters, localIndex, model);
  const attenuation = attenuationOf(model.blend);
  const states = Array.from({ length: tile[0] * tile[1] }, newPixelState);
  const pixels: number[] = [];
  for (let t = 0; t + 1 < offsets.length; t++) {
    const localIndices = list.subarray(offsets[t], offsets[t + 1]);
    const { left, right, top, bottom } = tileArea(firstTile + t, across, tile, size);
    const pixelStates = states.slice(0, (right - left) * (bottom - top));
    pixelStates.forEach(clearPixelState);
    for (let first = 0; first < localIndices.length && pixelStates.some(isOpen); first += maxTileBlobs) {
      const tileBlobs = Array.from(localIndices.subarray(first, first + maxTileBlobs), blobOf);
      let pixel = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const [u, v] = [x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY];
          fineRasterize(tileBlobs, u, v, attenuation, pixelStates[pixel++]);
        }
      }
    }
    for (const { red, green, blue, transmittance } of pixelStates) {
      for (const channel of [red, green, blue]) pixels.push(compositeChannel(channel, transmittance, background));
      pixels.push(transmittance); //@ draw.store
    }
  }
  return Float32Array.from(pixels);
}

/** Blends a tile's blobs into one pixel, front to back. CPU reference of shaders/tiled/fineRasterize.wgsl. */
function fineRasterize(
  blobs: Blob[],
  u: number,
  v: number,
  attenuation: number,
  state: PixelState,
  falloffs?: Float64Array,
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

function selectBlobs(localIndices: Uint32Array, blobs: Blob[]): Blob[] {
  const found: Blob[] = [];
  for (let k = 0; k < localIndices.length; k++) found.push(blobs[localIndices[k]]);
  return found;
}

function longestList(offsets: Uint32Array): number {
  let length = 0;
  for (let t = 0; t + 1 < offsets.length; t++) length = Math.max(length, offsets[t + 1] - offsets[t]);
  return length;
}

function isOpen({ transmittance }: PixelState): boolean {
  return transmittance >= lowestTransmittance;
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
