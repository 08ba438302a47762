import type { AttachedFile } from "observablehq:stdlib";
import { drawBlobs } from "../../engine/draw.js";
import type { Splat2d } from "../../engine/files/splat2d/splat2d.js";
import type { Image, Picture, Size } from "../../engine/image/image.js";
import { drawnBy } from "../../host/browser/drawnBy.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodePicture } from "../../host/browser/pictures.js";
import { backstage } from "../backstage/backstage.js";
import { bytesText, counted, decibels } from "../page/format.js";
import { gallery } from "../pictures/pictures.js";
import type { WipeSide } from "../pictures/wipe.js";

/** Pixels that the longer side is drawn with at most. */
const longest = 1024;

/**
 * Returns an image and its render from a stored .splat2d file.
 * @param picture its name in the gallery
 * @param kept their .splat2d file
 * @throws Error of one sentence
 */
export async function drawKept(
  engine: BrowserEngine,
  picture: string,
  kept: AttachedFile,
): Promise<{ original: WipeSide; drawn: WipeSide; facts: string }> {
  const { name, alt, file } = gallery.find((one) => one.name === picture)!;
  const [bytes, decoded] = await Promise.all([
    kept.arrayBuffer(),
    file.blob().then((blob) => decodePicture(blob, name, longest)),
  ]);
  const splat = await backstage("decodeSplat2d", new Uint8Array(bytes), kept.name);
  const target = middle(decoded.image, splat.size);
  const rendered = await drawSplat(engine, splat, target);
  const [image, quality] = await Promise.all([backstage("toImage", rendered), backstage("psnr", rendered, target)]);
  const { size, config } = splat;
  const label = counted(config.blobs, "blob");
  const bits = (8 * bytes.byteLength) / (size.width * size.height);
  const learned =
    size.width === target.width && size.height === target.height
      ? ""
      : ` Trained at ${size.width} × ${size.height} pixels, drawn at ${target.width} × ${target.height}.`;
  return {
    original: { image: target, label: "original", alt },
    drawn: { image, label, alt: `${alt}, drawn by ${label}, PSNR ${decibels(quality)}` },
    facts: `${label}, ${counted(config.steps, "step")}, a file of ${bytesText(bytes.byteLength)}, ${bits.toPrecision(2)} bits per pixel: PSNR ${decibels(quality)}.${learned}`,
  };
}

/** Draws a file's blobs at a size. */
async function drawSplat(engine: BrowserEngine, splat: Splat2d, at: Size): Promise<Picture> {
  const [backend, config] = drawnBy(engine, splat.config);
  return drawBlobs(backend, { config, size: splat.size, parameters: splat.parameters, at });
}

/** Returns the largest centred crop with the aspect ratio of a size. */
function middle(image: Image, { width, height }: Size): Image {
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
