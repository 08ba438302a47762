/** What a one-file report contains of each run: at most so many rows, and blobs for the rest of the bytes. */
export interface EmbedLimits {
  rows: number;
  bytes: number;
}

/** More rows would not improve a curve. */
const maxRows = 500;
const minRows = 20;
const minBlobs = 20;

/**
 * Returns the bytes per run besides its numbers, and a selector of what the static content of a one-file report omits until
 * its script runs: with many runs, only the overview above them has curves and tables.
 */
export function staticContent(runs: number): { leavesOut?: string; bytes: number } {
  if (runs > 24) return { leavesOut: "article :is(.chart-frame, table)", bytes: 18.5e3 };
  return { bytes: runs === 1 ? 100e3 : 50e3 };
}

/** Bytes of a blob with its gradients, and of a row with its points in the charts. */
const [blobBytes, rowBytes] = [88, 225];
/** Bytes of script and styles. */
const fixedBytes = 321e3;

/**
 * Returns limits for each run with which a one-file report is below 1 MB for one run and below 2 MB for several, without
 * its images. For fifty runs or more, the limits are the minimum, which takes 24 kB per run.
 */
export function limitsFor(runs: number): EmbedLimits {
  const bytes = ((runs === 1 ? 1e6 : 2e6) - fixedBytes) / runs - staticContent(runs).bytes;
  return { rows: Math.max(minRows, Math.min(maxRows, Math.floor((0.24 * bytes) / rowBytes))), bytes };
}

/** Returns how many blobs fit next to some rows. */
export function blobsNextTo(rows: number, { bytes }: EmbedLimits): number {
  return Math.max(minBlobs, Math.floor((bytes - rows * rowBytes) / blobBytes));
}
