/** data/bench/anchors.json: published and measured results of other methods. */
export interface Anchors {
  /** The image set of the published means. PSNR is one number, or the least and the greatest. */
  set: string;
  published: {
    who: string;
    /** URL of the paper. */
    link?: string;
    blobs: number;
    psnr: number[];
    msSsim?: number;
    seconds?: number;
    machine?: string;
    note?: string;
  }[];
  /** Another program, measured on one image. */
  measured: {
    who: string;
    image: string;
    adapter: string;
    /** Steps per run. */
    steps: number;
    points: { blobs: number; seconds: number; psnr: number }[];
  };
}

/** Height of a name in decibels, in a chart of 400 pixels. */
const nameHeight = 1.2;

/** Returns the published results, numbered from 1, with heights for their names at which none overlap. */
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
