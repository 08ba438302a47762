import { Command } from "commander";
import { rangeExamples } from "../engine/sweep/sweptValues.js";
import { addConfigFlags } from "./configFlags.js";
import type { FarmOptions } from "./sweep.js";
import type { SweepOptions } from "./sweepOptions.js";

export function sweepCommand(): Command {
  const command = new Command("sweep")
    .description("train a picture with each combination of some settings, and keep the runs and a table of them")
    .argument("[image]", "a PNG, JPEG or WebP file, or a .json file that tells the sweep");
  addConfigFlags(command);
  return command
    .option("--vary <field=values>", "a field and its values; once or twice", (text, all: string[] = []) => [
      ...all,
      text,
    ])
    .option("--record-every <n>", "as in fit, for each run")
    .option("--record-gradients-every <n>", "as in fit, for each run")
    .option("--resume <folder>", "go on with a sweep where it stopped")
    .option("--out <folder>", "the folder to keep the sweep in (default: runs/ and the picture's name with -sweep)")
    .option("--workers <n>", "train in so many processes, each on a GPU of its own where there are several")
    .option("--redis <url>", "have the workers of this Redis train, on whichever machine they are")
    .option(
      "--runs <folder>",
      "with --redis, where all machines have the runs: a folder that holds --out, or s3://BUCKET",
    )
    .option("--status", "with --redis, tell how the sweeps there come along")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr, and no summary")
    .addHelpText(
      "after",
      `
Values have commas between them. A range of numbers is ${rangeExamples}.
Each run is a folder as fit writes it, named by its values, beside sweep.json and sweep.arrow, a row a run.
The same command again, or --resume, trains what is missing. From workers, Ctrl-C takes back what they have not begun.
With --redis the environment may have the password, SPLATBOOK_REDIS_PASSWORD, where ps does not show it.

A .json file holds the picture's path from there, and what the flags say:
  {"image": "photo.jpg", "config": {"steps": 500}, "vary": {"learningRate": [0.001, 0.01], "tile": ["8x4", "16x16"]}}

Examples:
  splatbook sweep photo.jpg --vary learning-rate=0.001..0.1x5 --steps 500
  splatbook sweep photo.jpg --vary learning-rate=0.001,0.01 --vary gaussians-per-block=64,128,256 --pipeline tiled
  splatbook sweep sweep.json --out runs/photo
  splatbook sweep --resume runs/photo
  splatbook sweep photo.jpg --vary seed=1..100+100 --workers 8
  splatbook sweep photo.jpg --vary seed=1..100+100 --redis redis://HOST:6379
  splatbook sweep --status --redis redis://HOST:6379`,
    )
    .action(async (path: string | undefined, options: SweepOptions & FarmOptions) =>
      (await import("./sweep.js")).sweep(path, options),
    );
}
