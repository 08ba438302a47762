import type { AttachedFile } from "observablehq:stdlib";
import { drawBlobs } from "../../engine/draw.js";
import type { Splat2d } from "../../engine/files/splat2d/splat2d.js";
import type { FloatImage, Image, Size } from "../../engine/image/image.js";
import { drawBackend } from "../../host/browser/drawBackend.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodeImage } from "../../host/browser/images.js";
import { gallery } from "../images/gallery.js";
import type { WipeSide } from "../images/imageWipe.js";
import { bytesText, counted, decibels } from "../page/format.js";
import { runInWorker } from "../worker/runInWorker.js";

/** Pixels that the longer side is drawn with at most. */
const maxSide = 1024;

/**
 * Returns an image and its render from a stored .splat2d file.
 * @param imageName its name in the gallery
 * @param splatFile their .splat2d file
 * @throws Error of one sentence
 */
export async function drawSavedBlobs(
  engine: BrowserEngine,
  imageName: string,
  splatFile: AttachedFile,
): Promise<{ original: WipeSide; drawn: WipeSide; facts: string }> {
  const { name, alt, file } = gallery.find((one) => one.name === imageName)!;
  const [bytes, decoded] = await Promise.all([
    splatFile.arrayBuffer(),
    file.blob().then((blob) => decodeImage(blob, name, maxSide)),
  ]);
  const splat = await runInWorker("decodeSplat2d", new Uint8Array(bytes), splatFile.name);
  const target = centerCrop(decoded.image, splat.size);
  const rendered = await drawSplat(engine, splat, target);
  const [image, quality] = await Promise.all([runInWorker("toImage", rendered), runInWorker("psnr", rendered, target)]);
  const { size, config } = splat;
  const label = counted(config.blobs, "blob");
  const bits = (8 * bytes.byteLength) / (size.width * size.height);
  const sizeNote =
    size.width === target.width && size.height === target.height
      ? ""
      : ` Trained at ${size.width} × ${size.height} pixels, drawn at ${target.width} × ${target.height}.`;
  return {
    original: { image: target, label: "original", alt },
    drawn: { image, label, alt: `${alt}, drawn by ${label}, PSNR ${decibels(quality)}` },
    facts: `${label}, ${counted(config.steps, "step")}, a file of ${bytesText(bytes.byteLength)}, ${bits.toPrecision(2)} bits per pixel: PSNR ${decibels(quality)}.${sizeNote}`,
  };
}

/** Draws a file's blobs at a size. */
async function drawSplat(engine: BrowserEngine, splat: Splat2d, at: Size): Promise<FloatImage> {
  const [backend, config] = drawBackend(engine, splat.config);
  return drawBlobs(backend, { config, size: splat.size, parameters: splat.parameters, renderSize: at });
}

/** Returns the largest centred crop with the aspect ratio of a size. */
function centerCrop(image: Image, { width, height }: Size): Image {
  const scale = Math.min(image.width / width, image.height / height);
  const size = { width: Math.round(scale * width), height: Math.round(scale * height) };
  const left = Math.floor((image.width - size.width) / 2);
  const top = Math.floor((image.height - size.height) / 2);
  const data = new Uint8ClampedArray(4 * size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = 4 * ((top + y) * image.width + left);
    data.set(image.data.subarray(from, from + 4 * size.width), 4 * y * size.width);
  }
  return { ...size, data };
}
