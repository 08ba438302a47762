/** Keeps one submit running while the next is prepared, and times each. */
export class Pace {
  #previous: Promise<{ tiles: number; milliseconds: number }> | undefined;
  #finishedAt = performance.now();

  /** Takes a submit's completion, and resolves to the time of the previous submit when that is complete. */
  async next(done: Promise<unknown>, tiles: number) {
    const submittedAt = performance.now();
    const previous = this.#previous;
    this.#previous = done.then(() => {
      const now = performance.now();
      const milliseconds = now - Math.max(submittedAt, this.#finishedAt);
      this.#finishedAt = now;
      return { tiles, milliseconds };
    });
    // Never awaited if the previous submit fails.
    this.#previous.catch(() => {});
    return previous;
  }

  /** Resolves when the last submit is complete. */
  async finish(): Promise<void> {
    await this.#previous;
  }
}
