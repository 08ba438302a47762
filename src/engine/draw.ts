import type { FloatImage } from "./image/image.js";
import { type Backend, DeviceLostError, type DrawJob } from "./pipeline.js";

/** Devices lost in a row before drawing gives up. */
const maxRecoveries = 3;

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
