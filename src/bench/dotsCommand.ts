import { Command } from "commander";
import { completeConfig } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { median } from "../engine/medians.js";
import type { DotChart } from "../engine/model/dots.js";
import type { Pipeline } from "../engine/pipeline.js";
import { openEngine } from "../host/node/engine.js";
import { Failure } from "../terminal/failure.js";
import { checkCount, parseSize } from "../terminal/flags.js";
import { loadResized } from "./resize.js";
import type { BenchSite } from "./site.js";

interface DotsOptions {
  blobs: string;
  size: string;
  frames: string;
}

/** Returns the command that times charts with a dot per blob. */
export function dotsCommand(site: BenchSite): Command {
  return new Command("dots")
    .description("time charts with a dot per blob, from the blobs on the GPU to pixels on the CPU")
    .option("--blobs <n>", "number of blobs", "4000000")
    .option("--size <WxH>", "size of the chart in pixels", "1400x420")
    .option("--frames <n>", "charts to draw", "300")
    .action((options: DotsOptions) => timeDots(site, options));
}

async function timeDots(site: BenchSite, options: DotsOptions): Promise<void> {
  const blobs = checkCount("blobs", parseNumber(options.blobs));
  const frames = checkCount("frames", parseNumber(options.frames));
  const shaders = await site.readLibrary();
  const engine = await openEngine("binned", async () => shaders);
  try {
    if (engine.fallback !== undefined) throw new Failure(engine.fallback);
    const { image } = await loadResized(site, undefined, "512x512");
    // Every pipeline draws charts alike, and this one has no tile lists.
    const pipeline = await engine.backend.open(completeConfig({ pipeline: "simple", blobs }), image);
    const chart: DotChart = {
      ...parseSize(options.size),
      x: { column: "variance_x_decoded", isLog: true, domain: [1e-6, 1] },
      y: { column: "opacity_decoded", isLog: false, domain: [0, 1] },
      radius: 1,
      alpha: 0.02,
    };
    const times = await frameTimes(pipeline, chart, frames);
    const milliseconds = [median(times), Math.max(...times)].map((time) => time.toFixed(2));
    process.stdout.write(
      `${engine.backend.description}: ${blobs} dots in ${milliseconds[0]} ms per chart (median; longest ${milliseconds[1]} ms)\n`,
    );
    await pipeline.free();
  } finally {
    engine.close();
  }
}

/** Returns the milliseconds of each chart, drawn one after the other with a changing scale, after a warm-up. */
async function frameTimes(pipeline: Pipeline, chart: DotChart, frames: number): Promise<number[]> {
  const times: number[] = [];
  for (let frame = -10; frame < frames; frame++) {
    const start = performance.now();
    await pipeline.dots!({ ...chart, y: { ...chart.y, domain: [0, 1 + (frame % 10) / 100] } });
    if (frame >= 0) times.push(performance.now() - start);
  }
  return times;
}
