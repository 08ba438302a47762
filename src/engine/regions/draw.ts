import { clamp } from "../clamp.js";
import { completeConfig, type TrainConfig } from "../config.js";
import { drawBlobs } from "../draw.js";
import type { FloatImage, Size } from "../image/image.js";
import { decodeEach, highestCorrelation, lowestVariance, modelOf } from "../model/blob.js";
import { parameterCount } from "../model/blobs.js";
import { calcUV } from "../model/uv.js";
import type { Backend } from "../pipeline.js";
import { inactiveCenter } from "../training/initialState.js";
import { type BlobIndex, joinBlobs, logDeviation } from "./blobs.js";
import type { Rect } from "./plan.js";

/** Most pixels per side that are drawn at once; an engine needs memory for each. */
const maxSideAtOnce = 4096;

/**
 * Renders a crop of an image, piece by piece.
 * @param crop in pixels of the image
 * @param outputSize of the render; with another aspect ratio than the crop's it shows the middle
 */
export async function drawCrop(backend: Backend, blobs: BlobIndex, crop: Rect, outputSize: Size): Promise<FloatImage> {
  const uv = calcUV(outputSize, crop);
  // Pixels of the image per pixel of the render, the same along both axes.
  const stride = crop.width * uv.scaleX;
  const [left, top] = [crop.x + crop.width * uv.offsetX, crop.y + crop.height * uv.offsetY];
  // Direct blobs have a smallest deviation in pixels, so the image that they are converted to may be larger than the render.
  const perPixel = Math.max(1, Math.ceil(stride * minScale(blobs.config, blobs.size) - 1e-9));
  const side = Math.max(1, Math.floor(maxSideAtOnce / perPixel));
  const { width, height } = outputSize;
  const render = { width, height, data: new Float32Array(4 * width * height) };
  for (let y = 0; y < height; y += side) {
    for (let x = 0; x < width; x += side) {
      const size = { width: Math.min(side, width - x), height: Math.min(side, height - y) };
      const origin = { x: left + x * stride, y: top + y * stride };
      const { data } = await drawPiece(backend, blobs, origin, size, stride, perPixel);
      for (let row = 0; row < size.height; row++) {
        const values = data.subarray(4 * row * size.width, 4 * (row + 1) * size.width);
        render.data.set(values, 4 * ((y + row) * width + x));
      }
    }
  }
  return render;
}

async function drawPiece(
  backend: Backend,
  blobs: BlobIndex,
  { x, y }: { x: number; y: number },
  { width, height }: Size,
  stride: number,
  perPixel: number,
): Promise<FloatImage> {
  const { config, size } = blobs;
  // Pixels are sampled at their corner.
  const visible = blobs.indicesIn({ left: x, top: y, right: x + width * stride, bottom: y + height * stride });
  const direct = toDirect(config, size, joinBlobs(blobs.groups, visible), { x, y }, perPixel / stride);
  // A config has at least one blob; one outside the image if none is visible.
  const parameters = direct.length > 0 ? direct : new Float32Array(parameterCount).fill(inactiveCenter, 0, 2);
  return drawBlobs(backend, {
    config: completeConfig({
      ...config,
      parameterization: "direct",
      blobs: parameters.length / parameterCount,
      covarianceScale: undefined,
    }),
    size: { width: width * perPixel, height: height * perPixel },
    parameters,
    renderSize: { width, height },
  });
}

/** Returns the smallest scale of an image at which the blobs of a config can be converted to direct ones. */
function minScale({ parameterization, covarianceScale }: TrainConfig, { width, height }: Size): number {
  if (parameterization === "direct") return 1;
  const thinnest = Math.sqrt(0.005 * covarianceScale) * Math.min(width, height);
  return Math.max(1, Math.sqrt(lowestVariance) / thinnest);
}

/**
 * Returns blobs of any parameterization as direct ones, of an image with its origin at (x, y).
 * @param scale factor by which the image is larger, at least `minScale`
 */
function toDirect(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  { x, y }: { x: number; y: number },
  scale: number,
): Float32Array {
  const blobs = parameters.length / parameterCount;
  const direct = new Float32Array(parameters.length);
  let i = 0;
  for (const blob of decodeEach(parameters, modelOf(config, size))) {
    const { opacity } = blob;
    // Direct blobs have no opacity in a sum.
    const brightness = config.blend === "sum" ? opacity : 1;
    const values = [
      (blob.centerX * size.width - x) * scale,
      (blob.centerY * size.height - y) * scale,
      logDeviation((size.width * scale) / blob.perDeviationX),
      logDeviation((size.height * scale) / blob.perDeviationY),
      Math.atanh(blob.correlation / highestCorrelation),
      brightness * blob.red,
      brightness * blob.green,
      brightness * blob.blue,
      // The logit of 0 and 1 is infinite.
      clamp(Math.log(opacity / (1 - opacity)), -40, 40),
    ];
    for (const [field, value] of values.entries()) direct[field * blobs + i] = value;
    i++;
  }
  return direct;
}
