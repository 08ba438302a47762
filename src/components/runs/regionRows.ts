import type { MetricsRow } from "../../engine/files/arrow.js";
import type { Size } from "../../engine/image/image.js";
import { psnrOfLoss } from "../../engine/image/metrics.js";
import { type ParameterGroup, parameterGroups } from "../../engine/model/blobs.js";
import { areaOf } from "../../engine/regions/plan.js";

const groups = Object.keys(parameterGroups) as ParameterGroup[];

/** The rows of each region, in its place. */
export function rowsByRegion(rows: readonly MetricsRow[]): MetricsRow[][] {
  const regions: MetricsRow[][] = [];
  for (const row of rows) {
    regions[row.region ?? 0] ??= [];
    regions[row.region ?? 0].push(row);
  }
  return Array.from(regions, (own) => own ?? []);
}

/**
 * What was measured of all regions together, as if they had learned side by side: one that has no row of a step counts
 * as in its row before.
 * @param sizes of the regions, by which they weigh; where none are known, they are about as large as each other
 */
export function joinRegions(rows: readonly MetricsRow[], sizes: readonly Size[] = []): MetricsRow[] {
  const regions = rowsByRegion(rows);
  if (regions.length < 2) return [...rows];
  const weights = regions.map((_, i) => (sizes[i] ? areaOf(sizes[i]) : 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const steps = [...new Set(rows.map(({ step }) => step))].sort((a, b) => a - b);
  const at = regions.map(() => 0);
  return steps.map((step) => {
    const now = regions.map((own, i) => {
      while (own[at[i] + 1]?.step <= step) at[i]++;
      return own[at[i]];
    });
    const sum = (value: (row: MetricsRow) => number) => now.reduce((all, row) => all + (row ? value(row) : 0), 0);
    const mean = (value: (row: MetricsRow) => number) =>
      now.reduce((all, row, i) => all + (row ? (weights[i] / whole) * value(row) : 0), 0);
    const most = (value: (row: MetricsRow) => number) => Math.max(...now.map((row) => (row ? value(row) : 0)));
    const loss = mean((row) => row.loss);
    // The loss is a mean over pixels, so what a region pulls weighs as it does.
    const norm = (group: ParameterGroup) =>
      Math.sqrt(now.reduce((all, row, i) => all + ((weights[i] / whole) * (row?.gradientNorms[group] ?? 0)) ** 2, 0));
    return {
      step,
      seconds: sum((row) => row.seconds),
      loss,
      psnr: psnrOfLoss(loss),
      gradientNorms: Object.fromEntries(groups.map((group) => [group, norm(group)])) as MetricsRow["gradientNorms"],
      shortLists: {
        mean: mean((row) => row.shortLists.mean),
        longest: most((row) => row.shortLists.longest),
        overflowing: sum((row) => row.shortLists.overflowing),
        passes: most((row) => row.shortLists.passes),
      },
    };
  });
}
