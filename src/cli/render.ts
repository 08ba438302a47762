import { Command } from "commander";
import { ConfigError } from "../engine/config.js";
import { toImage } from "../engine/picture/image.js";
import { encodePng } from "../host/imageFile.js";
import { openBlobs, renderBlobs, sourceHelp } from "./blobSource.js";
import { claimFile } from "./claimFolder.js";
import { parseSize } from "./flags.js";
import { writeFile } from "./staging.js";

interface RenderOptions {
  size?: string;
  out: string;
  force?: boolean;
  json?: boolean;
}

export function renderCommand(): Command {
  return new Command("render")
    .description("draw a run's blobs at any size")
    .argument("<run>", sourceHelp)
    .option("--size <WxH>", "in pixels; another shape than the picture's shows its middle (default: the picture's)")
    .requiredOption("--out <file>", "the PNG file to write")
    .option("--force", "replace the file if it is there already")
    .option("--json", "print one JSON object on stdout and nothing else")
    .addHelpText("after", "\nExample:\n  splatbook render runs/photo --size 2048x2048 --out large.png")
    .action(render);
}

async function render(path: string, options: RenderOptions): Promise<void> {
  const { out } = options;
  if (!/\.png$/i.test(out)) throw new ConfigError("out", out, "a file name that ends in .png");
  const asked = options.size === undefined ? undefined : parseSize(options.size);
  await claimFile(out, options.force);
  const source = await openBlobs(path);
  const size = asked ?? source.size;
  const picture = await renderBlobs(source, size);
  await writeFile(out, await encodePng(toImage(picture)));
  if (options.json) process.stdout.write(`${JSON.stringify({ out, ...size }, null, 2)}\n`);
  else process.stdout.write(`${out}: ${size.width}x${size.height} pixels\n`);
}
