import { Command, Option } from "commander";
import { defaultSide } from "../engine/regions/plan.js";
import { checkpointSeconds } from "../runs/recordEvery.js";
import { checkPath } from "../terminal/flags.js";
import { addConfigFlags } from "./configFlags.js";
import type { FitOptions } from "./fitOptions.js";
import { count, jsonOption, positive, quietOption } from "./options.js";

export function fitCommand(): Command {
  const command = new Command("fit")
    .description("train an image, and write the run as a folder")
    .argument("[image]", "a PNG, JPEG or WebP file, or - for stdin; not needed with --resume");
  addConfigFlags(command);
  return command
    .option(...positive("--psnr <dB>", "stop as soon as the render reaches this PSNR"))
    .option(...positive("--seconds <s>", "train for this time, however many steps that is"))
    .option(...count("--longest <px>", "reduce the image so that its longer side has at most this many pixels"))
    .option(...count("--record-every <n>", "steps between two rows of metrics.arrow (default: a thousand rows in all)"))
    .option(
      ...count(
        "--record-gradients-every <n>",
        "steps between two records of gradients.arrow (default: the last step only)",
      ),
    )
    .option(...positive("--checkpoint <s>", `seconds between two checkpoints (default: ${checkpointSeconds})`))
    .option(
      ...count(
        "--alert-after <n>",
        "steps without progress, or far from the best loss, before an alert (default: a fifth of the steps, at least 100)",
      ),
    )
    .option("--resume <run>", "continue an interrupted run, or extend it to more --steps", checkPath)
    .option("--regions", "fit the image in parts; automatic if it is too large otherwise")
    .option(
      ...count(
        "--region-size <px>",
        `largest side of a region, in pixels; implies --regions (default: ${defaultSide})`,
      ),
    )
    .option(...count("--workers <n>", "fit regions in this many processes, each on its own GPU if there are several"))
    .option("--redis <url>", "fit regions on the workers of this Redis, instead of --workers")
    .option("--runs <folder>", "with --redis: a folder that all machines share and that contains --out")
    .option("--out <run>", "folder of the run (default: runs/ and the name of the image)", checkPath)
    .option(...jsonOption)
    .addOption(new Option("--json-lines", "print one JSON object per recorded step, and the result").conflicts("json"))
    .option(...quietOption)
    .addHelpText(
      "after",
      `
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.

Examples:
  splatbook fit photo.jpg --preset quality
  splatbook fit photo.jpg --preset quality --psnr 38
  splatbook fit photo.jpg --config config.json
  curl -s https://example.org/photo.jpg | splatbook fit - --out runs/photo
  splatbook fit photo.jpg --json-lines | jq 'select(.event == "step").psnr'
  splatbook fit photo.jpg --longest 256 --seconds 60
  splatbook fit photo.jpg --blobs 2000 --steps 500 --out runs/photo
  splatbook fit --resume runs/photo --steps 2000
  splatbook fit giga.png --preset quality --regions
  splatbook fit giga.png --resume runs/giga
  splatbook fit giga.png --preset quality --regions --workers 8
  splatbook fit photo.jpg --pipeline cpu --blobs 200 --json --quiet`,
    )
    .action(async (path: string | undefined, options: FitOptions) => (await import("./fit.js")).fit(path, options));
}
