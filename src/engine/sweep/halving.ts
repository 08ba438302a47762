/** Of this many runs, the best one continues in each round, unless another number is given. */
export const defaultHalving = 3;

/** The progress of a run of a sweep. */
export interface RunProgress {
  /** Steps of the whole run. */
  steps: number;
  /** Steps done; 0 before the start. */
  step: number;
  /** PSNR of the current render in decibels. */
  psnr: number;
  /** Whether the run has ended: by its steps, or by early stopping. */
  hasEnded: boolean;
  /** Whether the run has failed or cannot be trained. */
  isOut?: boolean;
}

/**
 * Returns the next round of successive halving (Jamieson and Talwalkar, 2016): the runs to train, each with the step
 * after which it pauses. All runs take a small fraction of their steps; of the best ones, 1 / `keep` continue to `keep`
 * times as many, until the best are trained in full. Runs keep the schedule of their full length. The result depends only on
 * the progress, so an interrupted search continues as if it had not been interrupted.
 * @returns steps by the index of the run; empty at the end of the search
 */
export function nextRound(runs: readonly RunProgress[], keep: number): Map<number, number> {
  let rounds = 1;
  while (keep ** rounds <= runs.length) rounds++;
  let candidates = runs.map((_, i) => i).filter((i) => !runs[i].isOut);
  for (let round = 1; ; round++) {
    const pauseOf = (i: number) => Math.ceil(runs[i].steps / keep ** (rounds - round));
    const missing = candidates.filter((i) => !runs[i].hasEnded && runs[i].step < pauseOf(i));
    if (missing.length > 0 || round === rounds) return new Map(missing.map((i) => [i, pauseOf(i)]));
    const kept = Math.max(1, Math.floor(runs.length / keep ** round));
    // A run beyond this round was among the best of it.
    const rankOf = (i: number) => [Number(runs[i].step > pauseOf(i)), runs[i].psnr];
    const ranked = candidates
      .map((i) => [i, rankOf(i)] as const)
      .sort(([a, ranksA], [b, ranksB]) => {
        const rank = ranksA.findIndex((value, k) => value !== ranksB[k]);
        return rank < 0 ? a - b : ranksB[rank] - ranksA[rank];
      });
    candidates = ranked.slice(0, kept).map(([i]) => i);
  }
}
