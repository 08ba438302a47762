/** Milliseconds of a frame that background work may take. */
const budget = 6;

/** Resolves in the next frame that is drawn. */
export function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}

/**
 * Carries work out in small parts, some a frame, so that the page stays responsive. Resolves with what it returns.
 * @param signal aborted when nobody waits for it any more: it is given up there, and rejects
 */
export async function inFrames<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let start = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - start < budget) continue;
    await nextFrame();
    signal?.throwIfAborted();
    start = performance.now();
  }
}
