/** How much of a run's numbers a document holds at most. */
export interface EmbedLimits {
  blobs: number;
  rows: number;
}

/** Of a single run: more rows make no better curve. */
const maxLimits: EmbedLimits = { blobs: 8000, rows: 500 };
/** Of each, however many they are. */
const minLimits: EmbedLimits = { blobs: 20, rows: 20 };

/**
 * What a document of so many runs leaves to its script, as a selector, and how many bytes it holds of a run besides
 * numbers. Nothing is left out of a single run, which has room for all. Of several, PSNR and loss are drawn, and no
 * other chart, and columns are not explained. Of many, what each came to stands in the table and the curves above all.
 */
export function staticContent(runs: number): { leavesOut?: string; bytes: number } {
  if (runs === 1) return { bytes: 120e3 };
  if (runs > 24) return { leavesOut: "article :is(.chart-frame, .blob-table, .column-list)", bytes: 18e3 };
  const charts = [".distributions .chart", ".chart-grid > :nth-child(3)", "section > .chart"];
  return { leavesOut: [...charts.map((chart) => `${chart} > .chart-frame`), ".column-list"].join(), bytes: 34e3 };
}

/** Bytes that all runs of a document have: 2 MB less its script, its styles and its kernels. */
const runsBytes = 1.19e6;
/** Bytes of a blob and its gradients, and of a row, which is a point of lines too. */
const [blobBytes, rowBytes] = [96, 155];

/**
 * The room that each of several runs has for its numbers, so that a document stays below 2 MB besides its pictures. From
 * some fifty runs on, each has the least there is, which is 22 kB with all else.
 */
export function limitsFor(runs: number): EmbedLimits {
  const bytes = runsBytes / runs - staticContent(runs).bytes;
  const clamp = (amount: number, kind: keyof EmbedLimits) =>
    Math.max(minLimits[kind], Math.min(maxLimits[kind], Math.floor(amount)));
  return { blobs: clamp((0.75 * bytes) / blobBytes, "blobs"), rows: clamp((0.25 * bytes) / rowBytes, "rows") };
}
