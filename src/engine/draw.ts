import type { FloatImage } from "./image/image.js";
import { type Backend, DeviceLostError, type DrawJob, maxRecoveries } from "./pipeline.js";

/**
 * Returns the render of some blobs. A lost device is replaced.
 * @throws ConfigError if the engine cannot draw them at that size
 */
export async function drawBlobs(backend: Backend, job: DrawJob): Promise<FloatImage> {
  for (let failures = 0; ; failures++) {
    try {
      return await backend.draw(job);
    } catch (error) {
      if (!(error instanceof DeviceLostError) || failures === maxRecoveries) throw error;
    }
  }
}
