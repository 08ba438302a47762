import { ConfigError } from "../engine/config.js";
import { toImage } from "../engine/image/image.js";
import { encodePng } from "../host/node/imageFile.js";
import { openBlobs, renderSource } from "../runs/blobSource.js";
import { checkOutput, isStdout, type OutputOptions, writeOutput } from "../runs/output.js";
import { checkCrop, parseCrop, parseSize } from "../terminal/flags.js";

export interface RenderOptions extends OutputOptions {
  size?: string;
  crop?: string;
}

export async function render(path: string, options: RenderOptions): Promise<void> {
  const { out } = options;
  if (!/\.png$/i.test(out) && !isStdout(out)) {
    throw new ConfigError("out", out, "a file name that ends in .png, or - for stdout");
  }
  const requestedSize = options.size === undefined ? undefined : parseSize(options.size);
  const crop = options.crop === undefined ? undefined : parseCrop(options.crop);
  await checkOutput(options);
  const source = await openBlobs(path);
  if (crop) checkCrop(options.crop!, crop, source.size);
  const { width, height } = requestedSize ?? crop ?? source.size;
  const size = { width, height };
  const rendered = await renderSource(source, size, crop);
  const contents = await encodePng(toImage(rendered));
  await writeOutput(options, contents, { ...size, ...(crop && { crop }) }, `${size.width}x${size.height} pixels`);
}
