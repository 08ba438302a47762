import { Command } from "commander";
import { parseSize } from "../terminal/flags.js";
import type { ExportOptions } from "./export.js";
import { exportFormats } from "./exportFormats.js";
import { ChoiceOption, forceOption, jsonOption } from "./options.js";
import { sourceHelp } from "./renderCommand.js";

export function exportCommand(): Command {
  return new Command("export")
    .description("write the blobs of a run as a compressed file, an image or a table")
    .argument("<run>", `${sourceHelp}, or an .arrow file to write as another table`)
    .requiredOption("--out <file>", "file to write, or - for stdout")
    .addOption(
      new ChoiceOption("--format <name>", "format of the file (default: by the suffix of --out)", exportFormats),
    )
    .option(...forceOption)
    .option(
      "--size <WxH>",
      "size of a .png or .svg in pixels; another aspect ratio crops the image around its centre (default: that of the image)",
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
.parquet, .csv and .json have a row per blob, with the columns of parameters.arrow.
Numbers read back as the same float32. JSON has null for infinity and NaN.

Examples:
  splatbook export runs/photo --out photo.splat2d
  splatbook export runs/photo --out photo.parquet
  splatbook export runs/photo/metrics.arrow --out metrics.csv
  splatbook export photo.splat2d --size 2048x2048 --out photo.svg
  splatbook export photo.splat2d --format png --out - | magick - photo.jpg`,
    )
    .action(async (path: string, options: ExportOptions) => (await import("./export.js")).exportBlobs(path, options));
}
