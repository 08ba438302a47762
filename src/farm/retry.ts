import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds between the first two tries, between two at most, and from the first to the last. */
const [firstPause, longestPause, maxRetryTime] = [100, 30_000, 10 * 60_000];

/**
 * Does some work, and again after ever longer pauses while it fails of what may pass.
 * @param signal ends the patience: the work is tried once more
 * @param milliseconds that it may take until it fails
 */
export async function retry<T>(
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  signal?: AbortSignal,
  milliseconds = maxRetryTime,
): Promise<T> {
  const startTime = performance.now();
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !isTransient(error) || performance.now() - startTime > milliseconds) throw error;
      await wait(pause, undefined, { signal }).catch(() => {});
    }
  }
}
