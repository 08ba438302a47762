import type { BenchResult } from "../../engine/bench/benchResult.js";
import { measure } from "../../engine/bench/measure.js";
import { operationsPerPair } from "../../engine/bench/work.js";
import { completeConfig, type PipelineName } from "../../engine/config.js";
import { hashImage, type Image } from "../../engine/image/image.js";
import type { countPairs } from "../../engine/model/pairs.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { runInWorker } from "../worker/runInWorker.js";

interface Job {
  pipelines: PipelineName[];
  blobs: number;
  longest: number;
  seconds: number;
  config: { tile?: string };
}

/** Small enough to finish within a minute on any engine. */
const jobs: Record<BrowserEngine["kind"], Job> = {
  gpu: { pipelines: ["tiled", "binned"], blobs: 8192, longest: 256, seconds: 2, config: {} },
  software: {
    pipelines: ["binned", "cpu"],
    blobs: 60,
    longest: 32,
    seconds: 0.5,
    config: { tile: "8x8" },
  },
  cpu: { pipelines: ["cpu"], blobs: 400, longest: 96, seconds: 1, config: {} },
};

/**
 * Benchmarks the pipelines in the reader's browser.
 * @param loadImage returns the image with so many pixels on its longer side
 * @param report called with the progress
 */
export async function measureInBrowser(
  engine: BrowserEngine,
  loadImage: (longest: number) => Promise<Image>,
  report: (progress: string) => void,
): Promise<BenchResult> {
  const { pipelines, blobs, longest, seconds, config } = jobs[engine.kind];
  const image = await loadImage(longest);
  const gpuBackend = engine.kind === "cpu" ? undefined : engine.backend("binned");
  report("Measuring the adapter's peak");
  const peak = await gpuBackend?.measurePeak?.();
  const configs = pipelines.map((pipeline) => completeConfig({ ...config, pipeline, blobs }));
  const count = (...job: Parameters<typeof countPairs>) => runInWorker("countPairs", ...job);
  const backendOf = (pipeline: PipelineName) => engine.backend(pipeline);
  const measurements = await measure(configs, image, backendOf, { seconds }, peak, report, count);
  const { pipeline: _, ...common } = configs[0];
  return {
    date: new Date().toISOString(),
    versions: {},
    host: navigator.userAgent,
    ...(gpuBackend && { adapter: gpuBackend.description }),
    ...(peak && { peak }),
    operationsPerPair,
    image: { name: "astronaut", width: image.width, height: image.height, hash: await hashImage(image) },
    config: common,
    // A browser's clock of the adapter is too coarse for a render.
    measurements: measurements.map(({ render: _, ...measured }) => measured),
  };
}
