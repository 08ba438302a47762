import type { Gpu } from "../../../engine/gpu/device.js";
import { clampGradient, treeReduce } from "../../../engine/model/accumulate.js";
import { uniformGenerator } from "../../../engine/random.js";
import { unitInLastPlace } from "./floatBits.js";
import { pixelGradients, type TiledSnapshot, tilesOf } from "./pixelGradients.js";
import { exactSum } from "./reductionModel.js";
import { racedSums, slotSums, type TileGradients } from "./sumKernels.js";

/** Sums of the same numbers, in one order and another. */
export type Race = ReturnType<typeof newRace>;

/** The gradients of one raw parameter of a blob at the pixels of all tiles that it meets, some tiles at a time. */
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

/** A race of no runs yet. */
export function newRace(gradients: TileGradients, largest: number) {
  const clamped = gradients.values.map((value) => clampGradient(value, Math.fround(largest)));
  /** Each tile's own sum, by the tree reduction. */
  const tileSums = Float32Array.from({ length: gradients.tiles }, (_, tile) =>
    treeReduce(clamped.slice(tile * gradients.threads, (tile + 1) * gradients.threads)),
  );
  const [raced, fixed]: number[][] = [[], []];
  // One sum a run: in whichever order the tiles came, and always in the same; the exact one is that of the clamped values.
  return { gradients, largest, tileSums, exact: exactSum(clamped), raced, fixed };
}

/** Adds runs of the GPU. */
export async function addGpuRuns(race: Race, gpu: Gpu, runs: number): Promise<void> {
  race.raced.push(...(await racedSums(gpu, race.gradients, runs, race.largest)));
  race.fixed.push(...(await slotSums(gpu, race.tileSums, runs)));
}

/** Adds runs of a model: the tiles' sums in random orders, float32. */
export function addModelRuns(race: Race, runs: number, random: () => number): void {
  for (let run = 0; run < runs; run++) {
    race.raced.push(addUp(shuffled(race.tileSums, random)));
    race.fixed.push(addUp(race.tileSums));
  }
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

const batchTime = 80;

/**
 * A race as it goes on.
 * @param gpu on which it runs; without one it runs in the model
 * @param signal ends it where it stands
 */
export async function* runRace(start: Race, runs: number, gpu: Gpu | undefined, signal: AbortSignal) {
  const race: Race = { ...start, raced: [], fixed: [] };
  const random = uniformGenerator(11);
  for (let batch = 8; race.raced.length < runs && !signal.aborted; ) {
    const startTime = performance.now();
    const count = Math.min(batch, runs - race.raced.length);
    if (gpu) await addGpuRuns(race, gpu, count);
    else addModelRuns(race, count, random);
    const elapsed = Math.max(performance.now() - startTime, 1);
    batch = Math.max(1, Math.min(4 * batch, Math.floor((count * batchTime) / elapsed), 4096));
    yield { ...race };
  }
}

/** How results lie around the exact sum: how many differ, each one's distance in units of its last place, the furthest. */
export function measureSpread(sums: readonly number[], exact: number) {
  const unit = unitInLastPlace(exact);
  const units = sums.map((sum) => (sum - exact) / unit);
  const furthest = units.reduce((largest, distance) => Math.max(largest, Math.abs(distance)), 0);
  return { distinct: new Set(sums).size, units, furthest };
}
