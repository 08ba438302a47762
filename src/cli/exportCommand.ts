import { Command } from "commander";
import type { ExportOptions } from "./export.js";
import { sourceHelp } from "./renderCommand.js";

export function exportCommand(): Command {
  return new Command("export")
    .description("take a run's blobs away as one file: .splat2d, .svg or .png, by the file's name")
    .argument("<run>", sourceHelp)
    .requiredOption("--out <file>", "the file to write")
    .option("--force", "replace the file if it is there already")
    .option("--size <WxH>", "of a .png or .svg, in pixels; another shape shows the middle (default: the picture's)")
    .option(
      "--precision <x>",
      "of a .splat2d: how many times finer than usual, or coarser below 1 (default: by the run's error)",
    )
    .option("--json", "print one JSON object on stdout and nothing else")
    .addHelpText(
      "after",
      `
Examples:
  splatbook export runs/photo --out photo.splat2d
  splatbook export photo.splat2d --size 2048x2048 --out photo.svg`,
    )
    .action(async (path: string, options: ExportOptions) => (await import("./export.js")).exportBlobs(path, options));
}
