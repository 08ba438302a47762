import { completeConfig } from "../config.js";
import { drawBlobs } from "../draw.js";
import type { Picture, Size } from "../image/image.js";
import { parameterCount } from "../model/blobs.js";
import { calcUV } from "../model/uv.js";
import type { Backend } from "../pipeline.js";
import { waitingCenter } from "../training/initialState.js";
import { asDirect, type BlobsByPlace, type Box, leastScale } from "./blobs.js";
import type { Rect } from "./plan.js";

/** Pixels of a side that are drawn at once at most: an engine keeps some memory for each. */
const mostAtOnce = 4096;

/**
 * Draws a part of a picture, piece by piece.
 * @param crop the part, in the picture's pixels
 * @param to the size to draw it at; where its shape is another one it shows the middle
 */
export async function drawPart(backend: Backend, blobs: BlobsByPlace, crop: Rect, to: Size): Promise<Picture> {
  const uv = calcUV(to, crop);
  // Pixels of the picture for one that is drawn: as many down as across.
  const stride = crop.width * uv.scaleX;
  const [left, top] = [crop.x + crop.width * uv.offsetX, crop.y + crop.height * uv.offsetY];
  // A blob can be no thinner than a part of a pixel, so each pixel that is drawn stands for some.
  const perPixel = Math.max(1, Math.ceil(stride * leastScale(blobs.config, blobs.size) - 1e-9));
  const side = Math.max(1, Math.floor(mostAtOnce / perPixel));
  if (Math.max(to.width, to.height) <= side) {
    return drawPiece(backend, blobs, { x: left, y: top }, to, stride, perPixel);
  }
  const picture = { width: to.width, height: to.height, data: new Float32Array(4 * to.width * to.height) };
  for (let y = 0; y < to.height; y += side) {
    for (let x = 0; x < to.width; x += side) {
      const size = { width: Math.min(side, to.width - x), height: Math.min(side, to.height - y) };
      const origin = { x: left + x * stride, y: top + y * stride };
      const piece = await drawPiece(backend, blobs, origin, size, stride, perPixel);
      for (let row = 0; row < size.height; row++) {
        const values = piece.data.subarray(4 * row * size.width, 4 * (row + 1) * size.width);
        picture.data.set(values, 4 * ((y + row) * to.width + x));
      }
    }
  }
  return picture;
}

/** The places that are drawn of a part: none of a pixel that is drawn lies before its corner. */
export function drawnIn({ x, y, width, height }: Rect): Box {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

async function drawPiece(
  backend: Backend,
  blobs: BlobsByPlace,
  { x, y }: { x: number; y: number },
  { width, height }: Size,
  stride: number,
  perPixel: number,
): Promise<Picture> {
  const { config, size } = blobs;
  const parameters = await blobs.in(drawnIn({ x, y, width: width * stride, height: height * stride }));
  const direct = asDirect(config, size, parameters, { x, y }, perPixel / stride);
  const seen = direct.length > 0 ? direct : nothing();
  const drawn = completeConfig({
    ...config,
    parameterization: "direct",
    blobs: seen.length / parameterCount,
    covarianceScale: undefined,
  });
  const learned = { width: width * perPixel, height: height * perPixel };
  return drawBlobs(backend, { config: drawn, size: learned, parameters: seen, at: { width, height } });
}

/** A blob that meets no pixel, since a config has one at least. */
function nothing(): Float32Array {
  return new Float32Array(parameterCount).fill(waitingCenter, 0, 2);
}
