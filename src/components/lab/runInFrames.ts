/** Milliseconds of a frame that background work may take. */
const budget = 6;

/**
 * Carries work out in small parts, some a frame, so that the page stays responsive. Resolves with what it returns.
 * @param signal aborted when nobody waits for it any more: it is given up there, and rejects
 */
export async function runInFrames<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let start = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - start < budget) continue;
    await new Promise(requestAnimationFrame);
    signal?.throwIfAborted();
    start = performance.now();
  }
}
