import { group } from "d3-array";
import type { MetricsRow } from "../../engine/files/arrow.js";
import type { Size } from "../../engine/image/image.js";
import { psnrOfLoss } from "../../engine/image/metrics.js";
import type { ParameterGroup } from "../../engine/model/blobs.js";
import { areaOf } from "../../engine/regions/plan.js";
import { groups } from "./samples.js";

/** Returns the rows of each region, by its index. */
function rowsByRegion(rows: readonly MetricsRow[]): MetricsRow[][] {
  const regions = group(rows, ({ region }) => region ?? 0);
  const count = 1 + Math.max(-1, ...regions.keys());
  return Array.from({ length: count }, (_, i) => regions.get(i) ?? []);
}

/**
 * Returns rows for all regions together, as if they had trained at the same time. A region without a row at a step counts
 * with its previous row.
 * @param sizes of the regions, for their weights; equal if unknown
 */
export function joinRegions(rows: readonly MetricsRow[], sizes: readonly Size[] = []): MetricsRow[] {
  const regions = rowsByRegion(rows);
  if (regions.length < 2) return [...rows];
  const weights = regions.map((_, i) => (sizes[i] ? areaOf(sizes[i]) : 1));
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const steps = [...new Set(rows.map(({ step }) => step))].sort((a, b) => a - b);
  const indices = regions.map(() => 0);
  return steps.map((step) => {
    const currentRows = regions.flatMap((regionRows, i) => {
      while (regionRows[indices[i] + 1]?.step <= step) indices[i]++;
      const row = regionRows.at(indices[i]);
      return row ? [{ row, weight: weights[i] / totalWeight }] : [];
    });
    const sum = (value: (row: MetricsRow) => number) => currentRows.reduce((total, { row }) => total + value(row), 0);
    const mean = (value: (row: MetricsRow) => number) =>
      currentRows.reduce((total, { row, weight }) => total + weight * value(row), 0);
    const maximum = (value: (row: MetricsRow) => number) => Math.max(...currentRows.map(({ row }) => value(row)));
    const loss = mean((row) => row.loss);
    // The loss is a mean over pixels, so gradients have the weights of their regions.
    const norm = (name: ParameterGroup) =>
      Math.sqrt(currentRows.reduce((total, { row, weight }) => total + (weight * row.gradientNorms[name]) ** 2, 0));
    return {
      step,
      seconds: sum((row) => row.seconds),
      loss,
      psnr: psnrOfLoss(loss),
      gradientNorms: Object.fromEntries(groups.map((name) => [name, norm(name)])) as MetricsRow["gradientNorms"],
      tileLists: {
        mean: mean((row) => row.tileLists.mean),
        longest: maximum((row) => row.tileLists.longest),
        overflowing: sum((row) => row.tileLists.overflowing),
        passes: maximum((row) => row.tileLists.passes),
      },
    };
  });
}
