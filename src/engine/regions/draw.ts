import { completeConfig } from "../config.js";
import { drawBlobs } from "../draw.js";
import type { FloatImage, Size } from "../image/image.js";
import { parameterCount } from "../model/blobs.js";
import { calcUV } from "../model/uv.js";
import type { Backend } from "../pipeline.js";
import { inactiveCenter } from "../training/initialState.js";
import { type BlobIndex, type Box, minScale, toDirect } from "./blobs.js";
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
  if (Math.max(outputSize.width, outputSize.height) <= side) {
    return drawPiece(backend, blobs, { x: left, y: top }, outputSize, stride, perPixel);
  }
  const render = {
    width: outputSize.width,
    height: outputSize.height,
    data: new Float32Array(4 * outputSize.width * outputSize.height),
  };
  for (let y = 0; y < outputSize.height; y += side) {
    for (let x = 0; x < outputSize.width; x += side) {
      const size = { width: Math.min(side, outputSize.width - x), height: Math.min(side, outputSize.height - y) };
      const origin = { x: left + x * stride, y: top + y * stride };
      const piece = await drawPiece(backend, blobs, origin, size, stride, perPixel);
      for (let row = 0; row < size.height; row++) {
        const values = piece.data.subarray(4 * row * size.width, 4 * (row + 1) * size.width);
        render.data.set(values, 4 * ((y + row) * outputSize.width + x));
      }
    }
  }
  return render;
}

/** Returns the box that a render of a crop shows: pixels are sampled at their corner. */
function cropBounds({ x, y, width, height }: Rect): Box {
  return { left: x, top: y, right: x + width, bottom: y + height };
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
  const parameters = await blobs.intersecting(cropBounds({ x, y, width: width * stride, height: height * stride }));
  const direct = toDirect(config, size, parameters, { x, y }, perPixel / stride);
  const visibleBlobs = direct.length > 0 ? direct : invisibleBlob();
  const drawConfig = completeConfig({
    ...config,
    parameterization: "direct",
    blobs: visibleBlobs.length / parameterCount,
    covarianceScale: undefined,
  });
  const imageSize = { width: width * perPixel, height: height * perPixel };
  return drawBlobs(backend, {
    config: drawConfig,
    size: imageSize,
    parameters: visibleBlobs,
    renderSize: { width, height },
  });
}

/** Returns a blob outside the image, since a config has at least one blob. */
function invisibleBlob(): Float32Array {
  return new Float32Array(parameterCount).fill(inactiveCenter, 0, 2);
}
