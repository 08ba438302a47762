import { Command } from "commander";
import { usualSide } from "../engine/regions/plan.js";
import { secondsBetween } from "../runs/recordEvery.js";
import { addConfigFlags } from "./configFlags.js";
import { addGoalFlags } from "./goalFlags.js";
import type { RegionsOptions } from "./regionsOptions.js";

export function fitCommand(): Command {
  const command = new Command("fit")
    .description("let blobs learn a picture, and keep the run as a folder")
    .argument("[image]", "a PNG, JPEG or WebP file; with --resume it may be left out");
  addConfigFlags(command);
  addGoalFlags(command);
  return command
    .option("--record-every <n>", "a row of metrics.arrow every so many steps (default: a thousand rows in all)")
    .option("--record-gradients-every <n>", "gradients into gradients.arrow every so many steps (default: the last)")
    .option("--checkpoint <s>", `keep the run so far every so many seconds (default: ${secondsBetween})`)
    .option("--resume <run>", "go on with a run from where it was stopped or killed, or up to a later --steps")
    .option(
      "--resume-schedule <name>",
      "given another end, stretch the schedule to it, or hold the learning rates at its own (default: stretch)",
    )
    .option("--regions", "fit the picture part by part, as happens by itself where it is too large for anything else")
    .option("--region-size <px>", `the same, with regions of so many pixels a side at most (default: ${usualSide})`)
    .option("--workers <n>", "fit regions in so many processes, each on a GPU of its own where there are several")
    .option("--redis <url>", "have the workers of this Redis fit regions, on whichever machine they are")
    .option(
      "--runs <folder>",
      "with --redis, where all machines have the runs: a folder that holds --out, or s3://BUCKET",
    )
    .option("--out <run>", "the folder to keep the run in (default: runs/ and the picture's name)")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr, and no summary")
    .addHelpText(
      "after",
      `
With --redis the environment may have the password, SPLATBOOK_REDIS_PASSWORD, where ps does not show it.

Examples:
  splatbook fit photo.jpg --preset quality
  splatbook fit photo.jpg --preset quality --bits-per-pixel 1
  splatbook fit photo.jpg --blobs 2000 --steps 500 --out runs/photo
  splatbook fit --resume runs/photo --steps 2000
  splatbook fit giga.tif --preset quality --regions
  splatbook fit giga.tif --resume runs/giga
  splatbook fit giga.tif --preset quality --regions --workers 8
  splatbook fit photo.jpg --pipeline cpu --blobs 200 --json --quiet`,
    )
    .action(async (path: string | undefined, options: RegionsOptions) => (await import("./fit.js")).fit(path, options));
}
