/** What others report of 10,000 iterations on machines of theirs; 512 × 512 pixels. */
export interface ReportedTime {
  label: string;
  seconds: number;
  /** As they say it. */
  words: string;
  /** Blobs of the job. */
  blobs: number;
}

/** The articles' figures and those of a later note to them, which names its machine: an RTX 5090. */
export const articleTimes: readonly ReportedTime[] = [
  { label: "first article", seconds: 40 * 60, words: "about 40 min, 200 blobs", blobs: 200 },
  { label: "second article", seconds: 3 * 60, words: "under 3 min, 40,960 blobs", blobs: 40_960 },
  { label: "later note", seconds: 47, words: "47 s, 40,960 blobs, RTX 5090", blobs: 40_960 },
  { label: "with wave ballots", seconds: 37, words: "37 s, 40,960 blobs, RTX 5090", blobs: 40_960 },
];
