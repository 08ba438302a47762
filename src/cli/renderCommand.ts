import { Command } from "commander";
import { parseCrop, parseSize } from "../terminal/flags.js";
import { forceOption, jsonOption } from "./options.js";
import type { RenderOptions } from "./render.js";

/** Help for the argument of commands that draw blobs. */
export const sourceHelp = "a run folder, or a .splat2d file";

export function renderCommand(): Command {
  return new Command("render")
    .description("render the blobs of a run at any size")
    .argument("<run>", sourceHelp)
    .option(
      "--size <WxH>",
      "size in pixels; another aspect ratio crops the image around its centre (default: that of the image or crop)",
      parseSize,
    )
    .option("--crop <X,Y,WxH>", "part of the image to render, in pixels of the image", parseCrop)
    .requiredOption("--out <file>", "PNG file to write, or - for stdout")
    .option(...forceOption)
    .option(...jsonOption)
    .addHelpText(
      "after",
      `
Examples:
  splatbook render runs/photo --size 2048x2048 --out large.png
  splatbook render runs/giga --crop 9000,4000,800x600 --size 1600x1200 --out part.png`,
    )
    .action(async (path: string, options: RenderOptions) => (await import("./render.js")).render(path, options));
}
