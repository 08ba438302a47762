import { stateOf } from "../../engine/blobs.js";
import type { Picture, Size } from "../../engine/image.js";
import type { Splat2d } from "../../engine/splat2d/splat2d.js";
import type { BrowserEngine } from "../../host/browser.js";

/**
 * Draws the blobs of a file on the reader's GPU, or where there is none in the CPU engine's worker.
 * @throws ConfigError, or an Error of one sentence
 */
export async function drawBlobs(
  engine: BrowserEngine,
  { config, size, parameters }: Splat2d,
  at: Size,
): Promise<Picture> {
  // A CPU that plays a GPU is slower than the CPU engine itself.
  const name = engine.kind === "gpu" ? "binned" : "cpu";
  const job = { ...config, pipeline: name } as const;
  const backend = engine.backend(name);
  backend.check(job, at);
  // A render asks of the target only how large it is.
  const blank = { ...size, data: new Uint8ClampedArray(4 * size.width * size.height) };
  const pipeline = await backend.open(job, blank, stateOf(parameters));
  try {
    return await pipeline.render({ width: at.width, height: at.height });
  } finally {
    await pipeline.free();
  }
}
