import { ConfigError } from "../engine/config.js";
import { type Size, toImage } from "../engine/image/image.js";
import type { Rect } from "../engine/regions/plan.js";
import { encodePng } from "../host/node/imageFile.js";
import { openBlobs, renderSource } from "../runs/blobSource.js";
import { checkOutput, isStdout, type OutputOptions, writeOutput } from "../runs/output.js";
import { checkCrop } from "../terminal/flags.js";

export interface RenderOptions extends OutputOptions {
  size?: Size;
  crop?: Rect;
}

export async function render(path: string, options: RenderOptions): Promise<void> {
  const { out, crop } = options;
  if (!/\.png$/i.test(out) && !isStdout(out)) {
    throw new ConfigError("out", out, "a file name that ends in .png, or - for stdout");
  }
  await checkOutput(options);
  const source = await openBlobs(path);
  if (crop) checkCrop(crop, source.size);
  const { width, height } = options.size ?? crop ?? source.size;
  const size = { width, height };
  const contents = await encodePng(toImage(await renderSource(source, size, crop)));
  await writeOutput(options, contents, { ...size, ...(crop && { crop }) }, `${width}x${height} pixels`);
}
