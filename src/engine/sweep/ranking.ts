import type { SweptResult } from "./sweep.js";

/** Returns the rows with a result, best first: finished runs by PSNR, then stopped ones by their steps and PSNR. */
export function rankedRows<Row extends SweptResult>(rows: readonly Row[]): Row[] {
  const progress = ({ status, step }: Row) => (status === "done" ? Number.MAX_VALUE : step);
  return rows
    .filter(({ status }) => status === "done" || status === "stopped")
    .sort((a, b) => progress(b) - progress(a) || (a.psnr === b.psnr ? 0 : b.psnr - a.psnr));
}

/** Returns the best finished run, if any. */
export function bestRow<Row extends SweptResult>(rows: readonly Row[]): Row | undefined {
  return rankedRows(rows).find(({ status }) => status === "done");
}
