import { Command } from "commander";
import { ConfigError } from "../engine/config.js";
import { toSingleLine } from "../engine/quoted.js";
import { rangeExamples } from "../engine/sweep/sweptValues.js";
import { usageFailure } from "../terminal/failure.js";
import { checkPath } from "../terminal/flags.js";
import { addConfigFlags } from "./configFlags.js";
import { count, jsonOption, quietOption } from "./options.js";
import type { SweepOptions } from "./sweepOptions.js";

export function sweepCommand(): Command {
  const command = new Command("sweep")
    .description("train an image with each combination of some settings")
    .argument("[image]", "a PNG, JPEG or WebP file, or - for stdin");
  addConfigFlags(command);
  return command
    .option("--vary <field=values>", "a setting and its values; can be given several times", addVaried)
    .option(...count("--longest <px>", "as in fit"))
    .option(...count("--record-every <n>", "as in fit, for each run"))
    .option(...count("--record-gradients-every <n>", "as in fit, for each run"))
    .option("--resume <folder>", "continue an interrupted sweep")
    .option("--out <folder>", "folder of the sweep (default: runs/ and the name of the image with -sweep)", checkPath)
    .option(...count("--workers <n>", "train in this many processes, each on its own GPU if there are several"))
    .option("--redis <url>", "train on the workers of this Redis, instead of --workers")
    .option("--runs <folder>", "with --redis: a folder that all machines share and that contains --out")
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText(
      "after",
      `
Separate values by commas. A range of numbers is ${rangeExamples}.
The sweep folder has a run folder for each combination, sweep.json, and sweep.arrow with one row per run.
The command report writes it as one HTML file. At the end, sweep prints the best 20 runs, best first, with the settings that differ, PSNR, loss and seconds.
The same command again, or --resume, trains what is missing. With workers, Ctrl-C removes the waiting jobs.
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.

--config takes a sweep.json, of a sweep folder or of the page Sweeps:
  {"config": {"steps": 500}, "vary": {"learningRate": [0.001, 0.01], "tile": ["8x4", "16x16"]}, "longest": 256}

Examples:
  splatbook sweep photo.jpg --vary learning-rate=0.001..0.1x5 --steps 500
  splatbook sweep photo.jpg --vary learning-rate=0.001,0.01 --vary gaussians-per-block=64,128,256 --pipeline tiled
  splatbook sweep photo.jpg --config sweep.json
  splatbook sweep --resume runs/photo
  splatbook sweep photo.jpg --vary seed=1..100+100 --workers 8
  splatbook sweep photo.jpg --vary seed=1..100+100 --redis redis://HOST:6379`,
    )
    .action(async (path: string | undefined, options: SweepOptions) =>
      (await import("./sweep.js")).sweep(path, options),
    );
}

/** Adds the field and the values of a --vary to those before. They are not checked. */
function addVaried(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, values] = /^\s*(?:--)?([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new ConfigError("vary", text, "a field and its values, such as learning-rate=0.001,0.01");
  const field = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (Object.hasOwn(before, field)) throw usageFailure(`--vary names ${toSingleLine(field)} twice.`);
  return { ...before, [field]: values };
}
