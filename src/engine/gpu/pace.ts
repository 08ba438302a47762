/** Keeps one submit under way while the next is prepared, and times each. */
export class Pace {
  #previous: Promise<{ tiles: number; milliseconds: number }> | undefined;
  #finishedAt = performance.now();

  /** Takes a submit's completion; resolves, with what it measured, when the one before it is complete. */
  async next(done: Promise<unknown>, tiles: number) {
    const submittedAt = performance.now();
    const before = this.#previous;
    this.#previous = done.then(() => {
      const now = performance.now();
      const milliseconds = now - Math.max(submittedAt, this.#finishedAt);
      this.#finishedAt = now;
      return { tiles, milliseconds };
    });
    // Where the one before it fails nobody asks for this one any more.
    this.#previous.catch(() => {});
    return before;
  }

  /** Resolves when the submit that came last is complete. */
  async finish(): Promise<void> {
    await this.#previous;
  }
}
