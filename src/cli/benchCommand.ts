import { Command } from "commander";
import { fields } from "../engine/fields.js";
import { parseSize } from "../terminal/flags.js";
import type { BenchOptions } from "./bench.js";
import { count, jsonOption, positive } from "./options.js";

export function benchCommand(): Command {
  return new Command("bench")
    .description("measure speed or quality")
    .argument(
      "[images...]",
      "the image, or several with --quality (default: one of data/images, or all with --quality)",
    )
    .option(
      "--pipelines <names>",
      `any of ${fields.pipeline.choices.join(",")}; one of them with --quality (default: all; with --scaling tiled,binned)`,
    )
    .option("--blobs <n>", "number of blobs, or several with --quality (default: that of the preset; on a CPU 2000)")
    .option(...count("--steps <n>", "training steps to measure after a warm-up; with --quality, steps of each run"))
    .option(
      ...positive(
        "--seconds <s>",
        "without --steps: time to measure each pipeline (default: 5; with --scaling 1 per job)",
      ),
    )
    .option("--tile <WxH>", "tile size in pixels")
    .option("--gaussians-per-block <k>", fields.gaussiansPerBlock.help)
    .option(...count("--workers <n>", "threads of the cpu pipeline (default: one per core)"))
    .option(
      "--size <WxH>",
      "crop and scale the image to this size (default: its own; with --scaling 512x512)",
      (text) => parseSize(text),
    )
    .option("--scaling", "measure by number of blobs, and by blobs and image size together")
    .option(
      "--quality",
      "train an ablation from the baseline preset to the quality preset, and the quality preset by number of blobs",
    )
    .option("--rows <names>", "with --quality: only these rows, or the parts ladder,without,seconds,sizes")
    .option(...jsonOption)
    .option("--quiet", "print no progress")
    .addHelpText(
      "after",
      `
Examples:
  splatbook bench --blobs 2000 --steps 20
  splatbook bench --scaling --json > scaling.json
  splatbook bench --quality photo.jpg --json > quality.json`,
    )
    .action(async (paths: string[], options: BenchOptions) => (await import("./bench.js")).bench(paths, options));
}
