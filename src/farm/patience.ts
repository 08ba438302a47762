import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds between the first two tries, between two at most, and from the first to the last. */
const [firstPause, longestPause, patience] = [100, 30_000, 10 * 60_000];

/**
 * Does some work, and again after ever longer pauses while it fails of what may pass.
 * @param signal ends the patience: the work is tried once more
 * @param milliseconds that it may take until it fails
 */
export async function patiently<T>(
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  signal?: AbortSignal,
  milliseconds = patience,
): Promise<T> {
  const since = performance.now();
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || !mayPass(error) || performance.now() - since > milliseconds) throw error;
      await wait(pause, undefined, { signal }).catch(() => {});
    }
  }
}
