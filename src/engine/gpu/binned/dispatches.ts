import type { TrainConfig } from "../../config.js";
import type { Kernel } from "../kernel.js";
import type { Dispatch, Stages } from "../submitter.js";
import type { binnedKernels } from "./kernels.js";
import { blobsPerWorkgroup, subtiles, tilesPerWorkgroup } from "./layout.js";
import type { Lists } from "./lists.js";

type Sources = ReturnType<typeof binnedKernels>;

/** The kernels of a job, compiled. */
export type Kernels = { [Name in keyof Sources]: Kernel };

type ListStage = "gatherLists" | "allocateLists" | "fillLists" | "sortLists";

/** The dispatches of a job's kernels, with their numbers of workgroups: see shaders/binned/. */
export class Dispatches {
  constructor(
    private readonly config: TrainConfig,
    private readonly tile: [number, number],
    private readonly shards: number,
  ) {}

  /** Returns the stages of a training step in order; the lists are those of the next step. */
  step(kernels: Kernels, lists: Lists, tiles: number, range: number): Stages {
    return {
      ...this.gradients(kernels, tiles, lists.segmentCapacity, range),
      updateBlobs: this.blobs(kernels.updateBlobs, range),
      ...this.lists(kernels, lists, tiles, range),
    };
  }

  /** Returns the stages from lists to slots. One reads a range of tiles, the other the next range, of segments. */
  gradients({ rasterize, rasterizeBackward }: Kernels, tiles: number, segments: number, range: number) {
    return {
      rasterize: { kernel: rasterize, workgroups: tiles * subtiles(this.tile), range },
      rasterizeBackward: { kernel: rasterizeBackward, workgroups: segments, range: range + 1 },
    };
  }

  /** Returns a dispatch of a kernel over blobs: project, updateBlobs or sumSlots. */
  blobs(kernel: Kernel, range: number): Dispatch {
    const perShard = 16 * Math.ceil(this.config.blobs / (16 * this.shards));
    return { kernel, workgroups: this.shards * Math.ceil(perShard / blobsPerWorkgroup(this.config)), range };
  }

  /** Returns the stages that build the lists from projected blobs. */
  lists(kernels: Partial<Record<ListStage, Kernel>>, { capacity }: Lists, tiles: number, range: number): Stages {
    const intersectionWorkgroups = Math.ceil(capacity / 128);
    const workgroups: Record<ListStage, number> = {
      gatherLists: tiles,
      allocateLists: Math.ceil(tiles / tilesPerWorkgroup),
      fillLists: intersectionWorkgroups,
      sortLists: intersectionWorkgroups,
    };
    const stages: Stages = {};
    for (const [name, count] of Object.entries(workgroups)) {
      const kernel = kernels[name as ListStage];
      if (kernel) stages[name] = { kernel, workgroups: count, range };
    }
    return stages;
  }
}
