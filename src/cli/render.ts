import { ConfigError } from "../engine/config.js";
import { toImage } from "../engine/image/image.js";
import { encodePng } from "../host/node/imageFile.js";
import { openBlobs, renderSource } from "../runs/blobSource.js";
import { checkReplaceable } from "../runs/claimFolder.js";
import { writeFile } from "../runs/staging.js";
import { checkCrop, parseCrop, parseSize } from "../terminal/flags.js";

export interface RenderOptions {
  size?: string;
  crop?: string;
  out: string;
  force?: boolean;
  json?: boolean;
}

export async function render(path: string, options: RenderOptions): Promise<void> {
  const { out } = options;
  if (!/\.png$/i.test(out)) throw new ConfigError("out", out, "a file name that ends in .png");
  const requestedSize = options.size === undefined ? undefined : parseSize(options.size);
  const crop = options.crop === undefined ? undefined : parseCrop(options.crop);
  await checkReplaceable(out, options.force);
  const source = await openBlobs(path);
  if (crop) checkCrop(options.crop!, crop, source.size);
  const { width, height } = requestedSize ?? crop ?? source.size;
  const size = { width, height };
  const rendered = await renderSource(source, size, crop);
  await writeFile(out, await encodePng(toImage(rendered)));
  if (options.json) process.stdout.write(`${JSON.stringify({ out, ...size, ...(crop && { crop }) }, null, 2)}\n`);
  else process.stdout.write(`${out}: ${size.width}x${size.height} pixels\n`);
}
