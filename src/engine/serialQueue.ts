/** Carries asynchronous work out one after the other, in the order in which it was asked for. */
export class SerialQueue {
  #latest: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#latest.then(work);
    this.#latest = result.catch(() => {});
    return result;
  }
}
