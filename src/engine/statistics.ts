import { type ParameterGroup, parameterCount, parameterGroups } from "./model/blobs.js";
import type { TileListStatistics, Tiles } from "./pipeline.js";

/** Returns the Euclidean norms of a 9·N field-major gradient, by parameter group. */
export function gradientNorms(gradients: ArrayLike<number>): Record<ParameterGroup, number> {
  const blobs = gradients.length / parameterCount;
  const squares = Array.from({ length: parameterCount }, (_, field) => {
    let sum = 0;
    for (let i = field * blobs; i < (field + 1) * blobs; i++) sum += gradients[i] * gradients[i];
    return sum;
  });
  return normsOfSquares(squares);
}

/** Returns the same norms from the nine sums of squares. */
export function normsOfSquares(squares: ArrayLike<number>): Record<ParameterGroup, number> {
  const norm = (fields: readonly number[]) => Math.sqrt(fields.reduce((sum, field) => sum + squares[field], 0));
  const entries = Object.entries(parameterGroups).map(([group, fields]) => [group, norm(fields)]);
  return Object.fromEntries(entries) as Record<ParameterGroup, number>;
}

/** Returns mean, maximum and overflow of the tile lists. */
export function tileListStatistics({ lengths, passes }: Tiles): TileListStatistics {
  const statistics = { mean: 0, longest: 0, overflowing: 0, passes: 0 };
  for (let t = 0; t < lengths.length; t++) {
    statistics.mean += lengths[t] / lengths.length;
    statistics.longest = Math.max(statistics.longest, lengths[t]);
    statistics.passes = Math.max(statistics.passes, passes[t]);
    if (passes[t] > 1) statistics.overflowing++;
  }
  return statistics;
}
