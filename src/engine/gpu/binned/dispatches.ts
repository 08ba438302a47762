import type { TrainConfig } from "../../config.js";
import type { Kernel } from "../kernel.js";
import type { Dispatch, Stages } from "../submitter.js";
import type { binnedKernels } from "./kernels.js";
import { type Division, shareOfWorkgroup, subtiles, tilesPerWorkgroup } from "./layout.js";
import type { Lists } from "./lists.js";

type Sources = ReturnType<typeof binnedKernels>;

/** The kernels of a job, compiled. */
export type Kernels = { [Name in keyof Sources]: Kernel };

type ListStage = "gatherLists" | "allocateLists" | "fillLists" | "sortLists";

/** How many workgroups the kernels of a job take: see shaders/binned/. */
export class Dispatches {
  readonly #perWorkgroup: ReturnType<typeof shareOfWorkgroup>;

  constructor(
    division: Division,
    private readonly config: TrainConfig,
    private readonly tile: [number, number],
    private readonly shards: number,
  ) {
    this.#perWorkgroup = shareOfWorkgroup(division, config);
  }

  /** The stages of a training step in their order; the lists are those of the next one. */
  step(kernels: Kernels, lists: Lists, tiles: number, share: number): Stages {
    return {
      ...this.gradients(kernels, tiles, lists.segmentCapacity, share),
      updateBlobs: this.blobs(kernels.updateBlobs, share),
      ...this.lists(kernels, lists, tiles, share),
    };
  }

  /** From the lists to the slots: by the tiles of a share, and by segments, of which the share behind it tells. */
  gradients({ rasterize, rasterizeBackward }: Kernels, tiles: number, segments: number, share: number) {
    const backward = Math.ceil(segments / this.#perWorkgroup.segments);
    return {
      rasterize: { kernel: rasterize, workgroups: tiles * subtiles(this.tile), share },
      rasterizeBackward: { kernel: rasterizeBackward, workgroups: backward, share: share + 1 },
    };
  }

  /** One of the kernels that go by blobs: project, updateBlobs, sumSlots. */
  blobs(kernel: Kernel, share: number): Dispatch {
    const perShard = 16 * Math.ceil(this.config.blobs / (16 * this.shards));
    return { kernel, workgroups: this.shards * Math.ceil(perShard / this.#perWorkgroup.blobs), share };
  }

  /** What builds the lists from the blobs on the pixels. */
  lists(kernels: Partial<Record<ListStage, Kernel>>, { capacity }: Lists, tiles: number, share: number): Stages {
    const byPairs = Math.ceil(capacity / 128);
    const workgroups: Record<ListStage, number> = {
      gatherLists: tiles,
      allocateLists: Math.ceil(tiles / tilesPerWorkgroup),
      fillLists: byPairs,
      sortLists: byPairs,
    };
    const stages: Stages = {};
    for (const [name, count] of Object.entries(workgroups)) {
      const kernel = kernels[name as ListStage];
      if (kernel) stages[name] = { kernel, workgroups: count, share };
    }
    return stages;
  }
}
