/** What the authors of a method report, as a mean over a set of pictures. */
export interface Published {
  who: string;
  blobs: number;
  /** Decibels: one number, or the least and the most. */
  psnr: number[];
  msSsim?: number;
  seconds?: number;
  machine?: string;
  note?: string;
}

/** data/bench/anchors.json: what others reach. */
export interface Anchors {
  /** The pictures that the published means are over. */
  set: string;
  published: Published[];
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

/** Decibels as they were reported: "44.08", "36.9 – 39". */
export function reported({ psnr }: Published): string {
  return psnr.join(" – ");
}
