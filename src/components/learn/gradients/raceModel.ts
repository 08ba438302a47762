import { clampGradient, treeReduce } from "../../../engine/cpu/accumulate.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { unitInLastPlace } from "./floatBits.js";
import { exactSum } from "./reductionModel.js";
import { racedSums, slotSums, type TileGradients } from "./sumKernels.js";

/** Sums of the same numbers, in one order and another. */
export interface Race {
  given: TileGradients;
  largest: number;
  /** Each tile's own sum, by the tree reduction. */
  tileSums: Float32Array;
  /** In float64, of the clamped values. */
  exact: number;
  /** One a run, in whichever order the tiles came. */
  raced: number[];
  /** One a run, always in the same order. */
  fixed: number[];
}

/** A race of no runs yet. */
export function newRace(given: TileGradients, largest: number): Race {
  const clamped = given.values.map((value) => clampGradient(value, Math.fround(largest)));
  const tileSums = Float32Array.from({ length: given.tiles }, (_, tile) =>
    treeReduce(clamped.slice(tile * given.threads, (tile + 1) * given.threads)),
  );
  return { given, largest, tileSums, exact: exactSum(clamped), raced: [], fixed: [] };
}

/** Adds runs of the GPU. */
export async function runOnGpu(race: Race, gpu: Gpu, runs: number): Promise<void> {
  race.raced.push(...(await racedSums(gpu, race.given, runs, race.largest)));
  race.fixed.push(...(await slotSums(gpu, race.tileSums, runs)));
}

/** Adds runs of a model: the tiles' sums in random orders, float32. */
export function runOnCpu(race: Race, runs: number, random: () => number): void {
  for (let run = 0; run < runs; run++) {
    race.raced.push(addUp(shuffled(race.tileSums, random)));
    race.fixed.push(addUp(race.tileSums));
  }
}

/** A sum in float32, one after the other. */
function addUp(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum = Math.fround(sum + value);
  return sum;
}

function shuffled(values: Float32Array, random: () => number): Float32Array {
  const order = values.slice();
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** How results lie around the exact sum. */
export interface Spread {
  /** Results that differ. */
  distinct: number;
  /** The furthest of all from the exact sum, as it is and in units of the exact sum's last place. */
  furthest: number;
  furthestUnits: number;
  /** Runs by their distance in these units, the lowest first. */
  counts: { units: number; runs: number }[];
}

export function spreadOf(sums: readonly number[], exact: number): Spread {
  const unit = unitInLastPlace(exact);
  const runs = new Map<number, number>();
  for (const sum of sums) runs.set(sum, (runs.get(sum) ?? 0) + 1);
  const values = [...runs.keys()].sort((a, b) => a - b);
  const furthest = values.reduce((most, value) => Math.max(most, Math.abs(value - exact)), 0);
  return {
    distinct: values.length,
    furthest,
    furthestUnits: furthest / unit,
    counts: values.map((value) => ({ units: (value - exact) / unit, runs: runs.get(value)! })),
  };
}
