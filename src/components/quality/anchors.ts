/** data/bench/anchors.json: published and measured results of other methods. */
export interface Anchors {
  /** What the authors of methods report, as means over a set of pictures; decibels: one number, or the least and the most. */
  set: string;
  published: {
    who: string;
    /** Of the paper. */
    link?: string;
    blobs: number;
    psnr: number[];
    msSsim?: number;
    seconds?: number;
    machine?: string;
    note?: string;
  }[];
  /** Another's program, measured on one picture. */
  measured: {
    who: string;
    image: string;
    adapter: string;
    /** Of each run. */
    steps: number;
    points: { blobs: number; seconds: number; psnr: number }[];
  };
}

/** Decibels that a name is high, in a chart of 400 pixels. */
const nameHeight = 1.2;

/** What others report, numbered from 1, each with a height for its name at which it covers none of as many blobs. */
export function numberResults(published: Anchors["published"]) {
  const highest = new Map<number, number>();
  const results = published.map((one, i) => ({ ...one, number: i + 1, low: one.psnr[0], high: one.psnr.at(-1)! }));
  return results
    .sort((a, b) => a.low + a.high - b.low - b.high)
    .map((one) => {
      const below = highest.get(one.blobs) ?? Number.NEGATIVE_INFINITY;
      const nameAt = Math.max((one.low + one.high) / 2, below + nameHeight);
      highest.set(one.blobs, nameAt);
      return { ...one, nameAt };
    });
}
