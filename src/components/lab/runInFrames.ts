/** Milliseconds per frame for background work. */
const budget = 6;

/** Runs a generator to its end over several frames, so the page stays responsive. Resolves to its return value. */
export async function runInFrames<T>(work: Generator<void, T>): Promise<T> {
  let start = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - start < budget) continue;
    await new Promise(requestAnimationFrame);
    start = performance.now();
  }
}
