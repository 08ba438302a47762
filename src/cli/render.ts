import { basename, dirname } from "node:path";
import { Command } from "commander";
import { ConfigError } from "../engine/config.js";
import { toImage } from "../engine/image.js";
import type { Size } from "../engine/pipeline.js";
import { encodePng } from "../host/imageFile.js";
import { parseSize } from "./flags.js";
import { withTrainer } from "./openRun.js";
import { writeFile } from "./staging.js";

interface RenderOptions {
  size?: string;
  out: string;
  json?: boolean;
}

export function renderCommand(): Command {
  return new Command("render")
    .description("draw a run's blobs at any size")
    .argument("<run>", "a folder that splatbook fit wrote")
    .option("--size <WxH>", "in pixels; another shape than the picture's shows its middle (default: the picture's)")
    .requiredOption("--out <file>", "the PNG file to write")
    .option("--json", "print one JSON object on stdout and nothing else")
    .addHelpText("after", "\nExample:\n  splatbook render runs/photo --size 2048x2048 --out large.png")
    .action(render);
}

async function render(folder: string, options: RenderOptions): Promise<void> {
  const { out } = options;
  if (!/\.png$/i.test(out)) throw new ConfigError("out", out, "a file name that ends in .png");
  const asked = options.size === undefined ? undefined : parseSize(options.size);
  const { RunFolder } = await import("./runFolder.js");
  const run = await RunFolder.open(folder);
  const { width, height } = run.description.image;
  const size = asked ?? { width, height };
  // A render asks of the target only how large it is.
  const blank = { width, height, data: new Uint8ClampedArray(4 * width * height) };
  const picture = await withTrainer(run, await run.parameters(), blank, (trainer) => {
    checkSize(size, () => trainer.backend.check(trainer.config, size));
    return trainer.render(size);
  });
  await writeFile(dirname(out), basename(out), await encodePng(toImage(picture)));
  if (options.json) process.stdout.write(`${JSON.stringify({ out, ...size }, null, 2)}\n`);
  else process.stdout.write(`${out}: ${size.width}x${size.height} pixels\n`);
}

/** An adapter speaks of the image that is too large; here that is the size asked for. */
function checkSize(size: Size, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ConfigError) || error.field !== "image") throw error;
    throw new ConfigError("size", `${size.width}x${size.height}`, error.allowed);
  }
}
