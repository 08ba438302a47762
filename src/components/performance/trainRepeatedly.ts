import { completeConfig, type PipelineName } from "../../engine/config.js";
import type { Image } from "../../engine/image/image.js";
import type { BrowserEngine } from "../../host/browser/engine.js";

const runs = 3;
/** The first adds gradients by compare-and-swap, the second has a slot for each. */
const pipelines: PipelineName[] = ["tiled", "binned"];

/** A software adapter is slow. */
const jobs = {
  gpu: { blobs: 2048, longest: 256, steps: 200, config: {} },
  software: { blobs: 30, longest: 24, steps: 6, config: { tile: [8, 8] } },
};

/** How the parameters that a run, counted from 1, ends with differ from those of the first run in the same pipeline. */
type BitComparison = { pipeline: PipelineName; run: number; of: number } & ReturnType<typeof compare>;

/**
 * Trains one job three times in each pipeline, in the reader's browser, and compares the bits.
 * @param engine one with a GPU or a software adapter
 * @param loadImage returns the image with so many pixels on its longer side
 * @param report called with the progress
 */
export async function trainRepeatedly(
  engine: BrowserEngine,
  loadImage: (longest: number) => Promise<Image>,
  report: (progress: string) => void,
) {
  const { blobs, longest, steps, config } = jobs[engine.kind as keyof typeof jobs];
  const image = await loadImage(longest);
  const comparisons: BitComparison[] = [];
  for (const pipeline of pipelines) {
    const job = completeConfig({ ...config, pipeline, blobs });
    let first: Float32Array | undefined;
    for (let run = 1; run <= runs; run++) {
      report(`${pipeline}: run ${run} of ${runs}`);
      const opened = await engine.backend(pipeline).open(job, image);
      try {
        await opened.advance(steps);
        const { parameters } = await opened.state();
        if (first) comparisons.push({ pipeline, run, of: parameters.length, ...compare(first, parameters) });
        first ??= parameters;
      } finally {
        await opened.free();
      }
    }
  }
  return { blobs, steps, width: image.width, height: image.height, comparisons };
}

/** Parameters whose bits differ, and how many bits. */
export function compare(a: Float32Array, b: Float32Array) {
  const [left, right] = [a, b].map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  const difference = { parameters: 0, bits: 0 };
  for (let i = 0; i < left.length; i++) {
    let differing = left[i] ^ right[i];
    if (differing !== 0) difference.parameters++;
    for (; differing !== 0; differing &= differing - 1) difference.bits++;
  }
  return difference;
}
