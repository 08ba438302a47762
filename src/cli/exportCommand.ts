import { Command } from "commander";
import { parseSize } from "../terminal/flags.js";
import type { ExportOptions } from "./export.js";
import { choice, forceOption, jsonOption } from "./options.js";
import { sourceHelp } from "./renderCommand.js";

export function exportCommand(): Command {
  return new Command("export")
    .description("write the blobs of a run as a compressed file or an image")
    .argument("<run>", sourceHelp)
    .requiredOption("--out <file>", "file to write, or - for stdout")
    .option(...choice("--format <name>", "format of the file (default: by the suffix of --out)", ["splat2d", "png"]))
    .option(...forceOption)
    .option(
      "--size <WxH>",
      "size of a .png in pixels; another aspect ratio crops the image around its centre (default: that of the image)",
      parseSize,
    )
    .option(
      "--precision <x>",
      "quantization precision of a .splat2d; 2 halves the quantization steps (default: by the error of the run)",
    )
    .option(...jsonOption)
    .addHelpText(
      "after",
      `
Examples:
  splatbook export runs/photo --out photo.splat2d
  splatbook export photo.splat2d --size 2048x2048 --out photo.png
  splatbook export photo.splat2d --format png --out - | magick - photo.jpg`,
    )
    .action(async (path: string, options: ExportOptions) => (await import("./export.js")).exportBlobs(path, options));
}
