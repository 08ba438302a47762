import type { Image } from "../image/image.js";
import { gradientMagnitudes } from "./density.js";

/** Blobs for a unit of the colours' gradient, summed over the picture. */
const blobsPerGradient = 0.6;

const [minBlobs, minPixelsPerBlob] = [50, 4];

/**
 * How many blobs the quality preset needs for about 40 dB: 0.6 times the length of the colours' gradient, in units of
 * 0..1 a pixel, summed over the picture. Over twelve photographs the number for 40 dB, read off between runs of 9,000
 * and 70,000 blobs, is 0.57 times that sum, within a factor of 1.25 one standard deviation either way. At least 50, and
 * no more than one for four pixels.
 */
export function suggestBlobCount(image: Image): number {
  const row = new Float64Array(image.width);
  let sum = 0;
  for (let y = 0; y < image.height; y++) {
    gradientMagnitudes(image, y, row);
    for (let x = 0; x < row.length; x++) sum += row[x];
  }
  // Differences over two pixels, of 8-bit values.
  const gradient = sum / (2 * 255);
  const maxBlobs = Math.max(minBlobs, Math.floor((image.width * image.height) / minPixelsPerBlob));
  return Math.min(Math.max(Math.round(blobsPerGradient * gradient), minBlobs), maxBlobs);
}
