import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds: first pause, longest pause, and time from the first to the last attempt. */
const [firstPause, longestPause, maxRetryTime] = [100, 30_000, 10 * 60_000];

/**
 * Runs work, and repeats it after growing pauses while its errors are transient. Returns its result.
 * @param signal ends the retries after one more attempt
 * @param milliseconds time after which errors are thrown
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
