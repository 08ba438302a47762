/** Maximum numbers of a run's blobs and rows in a one-file report. */
export interface EmbedLimits {
  blobs: number;
  rows: number;
}

/** For a single run; more rows would not improve a curve. */
const maxLimits: EmbedLimits = { blobs: 8000, rows: 500 };
/** For each of any number of runs. */
const minLimits: EmbedLimits = { blobs: 20, rows: 20 };

/**
 * Returns a selector of what the static content of a one-file report omits until its script runs, and the bytes per run
 * besides its numbers. A single run is complete. With several runs, only the charts of PSNR and loss are drawn, without
 * descriptions of columns. With many runs, only the overview above them has results and curves.
 */
export function staticContent(runs: number): { leavesOut?: string; bytes: number } {
  if (runs === 1) return { bytes: 120e3 };
  if (runs > 24) return { leavesOut: "article :is(.chart-frame, .blob-table, .column-list)", bytes: 18.5e3 };
  const charts = [".distributions .chart", ".chart-grid > :nth-child(3)", "section > .chart"];
  return { leavesOut: [...charts.map((chart) => `${chart} > .chart-frame`), ".column-list"].join(), bytes: 34e3 };
}

/** Bytes for all runs: 2 MB minus script, styles and kernels. */
const runsBytes = 1.179e6;
/** Bytes of a blob with its gradients, and of a row with its points in the charts. */
const [blobBytes, rowBytes] = [96, 155];

/**
 * Returns limits for each run with which a one-file report is below 2 MB without its images. For fifty runs or
 * more, the limits are the minimum, which takes 22 kB per run.
 */
export function limitsFor(runs: number): EmbedLimits {
  const bytes = runsBytes / runs - staticContent(runs).bytes;
  const clamp = (amount: number, kind: keyof EmbedLimits) =>
    Math.max(minLimits[kind], Math.min(maxLimits[kind], Math.floor(amount)));
  return { blobs: clamp((0.75 * bytes) / blobBytes, "blobs"), rows: clamp((0.24 * bytes) / rowBytes, "rows") };
}
