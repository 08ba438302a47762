import type { Gpu } from "../../../engine/gpu/device.js";
import { clampGradient, treeReduce } from "../../../engine/model/accumulate.js";
import { uniformGenerator } from "../../../engine/random.js";
import { unitInLastPlace } from "./floatBits.js";
import { pixelGradients, type TiledSnapshot, tilesOf } from "./pixelGradients.js";
import { exactSum } from "./reductionModel.js";
import { racedSums, slotSums, type TileGradients } from "./sumKernels.js";

/** Repeated sums of the same numbers, in order of arrival and in a fixed order. */
export type Race = ReturnType<typeof newRace>;

/** Returns the gradients of one raw parameter of a blob at the pixels of all its tiles; yields after each tile. */
export function* blobGradients(snapshot: TiledSnapshot, blob: number, field: number): Generator<void, TileGradients> {
  const threads = snapshot.tile[0] * snapshot.tile[1];
  const tiles = tilesOf(snapshot, blob);
  const values = new Float32Array(threads * tiles.length);
  for (const [k, tile] of tiles.entries()) {
    values.set(pixelGradients(snapshot, tile, field).get(blob)!, k * threads);
    yield;
  }
  return { values, threads, tiles: tiles.length };
}

/** Returns a race without runs. */
export function newRace(gradients: TileGradients, largest: number) {
  const clamped = gradients.values.map((value) => clampGradient(value, Math.fround(largest)));
  /** The tree reduction of each tile. */
  const tileSums = Float32Array.from({ length: gradients.tiles }, (_, tile) =>
    treeReduce(clamped.slice(tile * gradients.threads, (tile + 1) * gradients.threads)),
  );
  const [raced, fixed]: number[][] = [[], []];
  // A sum per run: `raced` in order of arrival, `fixed` in the order of the tiles.
  return { gradients, largest, tileSums, exact: exactSum(clamped), raced, fixed };
}

function addUp(values: Float32Array): number {
  return values.reduce((sum, value) => Math.fround(sum + value), 0);
}

function shuffled(values: Float32Array, random: () => number): Float32Array {
  const order = values.slice();
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Milliseconds that a batch of runs takes, about. */
const batchTime = 80;

/**
 * Runs a race in batches; yields it after each.
 * @param gpu runs the kernels; without one, a model adds the sums of the tiles in random order, in float32
 * @param signal ends the race
 */
export async function* runRace(start: Race, runs: number, gpu: Gpu | undefined, signal: AbortSignal) {
  const race: Race = { ...start, raced: [], fixed: [] };
  const { gradients, largest, tileSums } = race;
  const random = uniformGenerator(11);
  for (let batch = 8; race.raced.length < runs && !signal.aborted; ) {
    const startTime = performance.now();
    const count = Math.min(batch, runs - race.raced.length);
    if (gpu) {
      race.raced.push(...(await racedSums(gpu, gradients, count, largest)));
      race.fixed.push(...(await slotSums(gpu, tileSums, count)));
    } else {
      for (let run = 0; run < count; run++) {
        race.raced.push(addUp(shuffled(tileSums, random)));
        race.fixed.push(addUp(tileSums));
      }
    }
    const elapsed = Math.max(performance.now() - startTime, 1);
    batch = Math.max(1, Math.min(4 * batch, Math.floor((count * batchTime) / elapsed), 4096));
    yield { ...race };
  }
}

/** Returns the number of distinct sums, their distances from the exact sum in units of its last place, and the largest one. */
export function measureSpread(sums: readonly number[], exact: number) {
  const unit = unitInLastPlace(exact);
  const units = sums.map((sum) => (sum - exact) / unit);
  const furthest = units.reduce((largest, distance) => Math.max(largest, Math.abs(distance)), 0);
  return { distinct: new Set(sums).size, units, furthest };
}
