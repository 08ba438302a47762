import { Command } from "commander";
import { allowedNames } from "../engine/config.js";
import { type BenchOptions, fewBlobs, seconds } from "./options.js";
import type { BenchSite } from "./site.js";

/** @param openSite where it runs */
export function benchCommand(openSite: () => Promise<BenchSite>): Command {
  return new Command("bench")
    .description("time pipelines side by side, in one process")
    .argument(
      "[images...]",
      "the picture to learn, several with --quality; one of the gallery if absent, all with --quality",
    )
    .option(
      "--pipelines <names>",
      `which ones, of ${allowedNames("pipeline").join(",")}; all by default, tiled,binned with --scaling, one with --quality`,
    )
    .option(
      "--blobs <n>",
      `number of blobs; the preset's on a GPU, ${fewBlobs} on a CPU; with --quality one or several`,
    )
    .option(
      "--steps <n>",
      "training steps of each pipeline that are measured, after a warm-up; with --quality of each run",
    )
    .option(
      "--seconds <s>",
      `without --steps: how long each pipeline is measured, about (default: ${seconds.alone}; with --scaling ${seconds.scaling} a job)`,
    )
    .option("--tile <WxH>", "tile size in pixels")
    .option("--gaussians-per-block <k>", "capacity of the short-list in workgroup memory")
    .option("--workers <n>", "threads of the cpu pipeline; one a core by default")
    .option("--size <WxH>", "crop and scale the picture to this size; with --scaling 512x512 by default")
    .option(
      "--scaling [sweeps]",
      "measure many jobs about this one: by number of blobs, image size, tile size, and all that grows (blobs,image,tile,all)",
    )
    .option(
      "--quality",
      "train the seed preset, the quality preset and what lies between, and the quality preset by number of blobs",
    )
    .option("--rows <names>", "with --quality: these rows alone, or parts, of ladder,without,seconds,sizes")
    .option("--keep <folder>", "with --quality: keep the blobs of each run there, as IMAGE-ROW-BLOBS.splat2d")
    .option(
      "--out <file>",
      "with --scaling and --quality: the Arrow file to write, a row a job; with --quality it goes on with a file that is there, and writes the curves beside it",
    )
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr")
    .action(async (paths: string[], options: BenchOptions) => {
      const site = await openSite();
      if (options.quality) await (await import("./qualityCommand.js")).benchQuality(site, paths, options);
      else await (await import("./speedCommand.js")).benchSpeed(site, paths, options);
    });
}
