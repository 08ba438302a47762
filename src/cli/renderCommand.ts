import { Command } from "commander";
import type { RenderOptions } from "./render.js";

/** What a command that draws blobs takes, in its help. */
export const sourceHelp = "a folder that splatbook fit wrote, or a .splat2d file";

export function renderCommand(): Command {
  return new Command("render")
    .description("draw a run's blobs at any size")
    .argument("<run>", sourceHelp)
    .option(
      "--size <WxH>",
      "in pixels; another shape than the picture's shows its middle (default: the picture's or the part's)",
    )
    .option("--crop <X,Y,WxH>", "a part of the picture, in its pixels; of a run by regions the rest is not read")
    .requiredOption("--out <file>", "the PNG file to write")
    .option("--force", "replace the file if it is there already")
    .option("--json", "print one JSON object on stdout and nothing else")
    .addHelpText(
      "after",
      `
Examples:
  splatbook render runs/photo --size 2048x2048 --out large.png
  splatbook render runs/giga --crop 9000,4000,800x600 --size 1600x1200 --out part.png`,
    )
    .action(async (path: string, options: RenderOptions) => (await import("./render.js")).render(path, options));
}
