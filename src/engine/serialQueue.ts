/** Runs asynchronous functions one at a time, in the order of the calls. */
export class SerialQueue {
  #latest: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#latest.then(work);
    this.#latest = result.catch(() => {});
    return result;
  }
}
