import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BenchImage, BenchOrigin } from "../engine/bench/results.js";
import { hashImage, type Image, type Size } from "../engine/image/image.js";
import { gitCommit } from "../host/node/checkout.js";
import { describeHost } from "../host/node/engine.js";
import { decodeImage } from "../host/node/imageFile.js";
import { loadSharp } from "../host/node/imageSource.js";
import { projectRoot } from "../host/node/install.js";
import { versions } from "../host/node/project.js";
import { usageFailure } from "../terminal/failure.js";

/** Returns the paths of the images in data/images, which are measured if none is given. */
export async function galleryPaths(): Promise<string[]> {
  const folder = join(projectRoot, "data", "images");
  const names = await readdir(folder).catch(() => {
    throw usageFailure("bench needs an image, such as splatbook bench photo.jpg. Only a checkout has data/images.");
  });
  return names.filter((name) => /\.(png|jpg)$/.test(name)).map((name) => join(folder, name));
}

/** Decodes an image, and resizes it if a size is given. */
export async function loadImage(path: string, size?: Size) {
  const image = await decodeImage(path);
  return { name: basename(path), image: size ? await resizeImage(image, size) : image };
}

/** Returns an image cropped around its centre to the shape of a size, and scaled to it; enlarged pixels stay squares. */
export async function resizeImage({ width, height, data }: Image, size: Size): Promise<Image> {
  const sharp = await loadSharp();
  const kernel = size.width > width || size.height > height ? "nearest" : "lanczos3";
  const resized = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize(size.width, size.height, { fit: "cover", kernel })
    .raw()
    .toBuffer();
  return {
    width: size.width,
    height: size.height,
    data: new Uint8ClampedArray(resized.buffer, resized.byteOffset, resized.length),
  };
}

/** Returns when, where and with which splatbook something is measured. */
export function benchOrigin(adapter?: string): BenchOrigin {
  const commit = gitCommit();
  const origin = { date: new Date().toISOString(), ...(commit !== undefined && { commit }), versions: versions() };
  return { ...origin, host: describeHost(), ...(adapter !== undefined && { adapter }) };
}

/** Describes a measured image. */
export async function benchImage({ name, image }: { name: string; image: Image }): Promise<BenchImage> {
  return { name, width: image.width, height: image.height, hash: await hashImage(image) };
}
