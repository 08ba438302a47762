import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Tiles and tile lists". */
export const tilesExercises: readonly Exercise[] = [
  {
    id: "tiles.box",
    title: "Half sides of the box",
    task: "Compute the half sides of the 4σ box as a vec2f, the longer one first, from the eigenvalues of the covariance matrix, largest and smallest. DEVIATIONS is 4.",
    wgsl: { file: "shared/bounds.wgsl", hides: "DEVIATIONS * sqrt(vec2f(largest, smallest))" },
    typescript: {
      file: "model/bounds.ts",
      hides: "halfLength: deviations * Math.sqrt(largest),\n    halfWidth: deviations * Math.sqrt(smallest),",
      task: "Write the properties halfLength and halfWidth of the 4σ box, the longer one first. largest and smallest are the eigenvalues of the covariance matrix. deviations is 4.",
    },
    hint: "An eigenvalue of Σ is a variance, σ², along one axis of the ellipse.",
    reason: "The support ends at 4σ. Along an axis of the ellipse, σ is the root of the eigenvalue.",
    mistakes: [
      {
        wgsl: "DEVIATIONS * vec2f(largest, smallest)",
        typescript: "halfLength: deviations * largest,\n    halfWidth: deviations * smallest,",
        says: "An eigenvalue is a variance. The box is measured in standard deviations.",
      },
      {
        wgsl: "sqrt(DEVIATIONS * vec2f(largest, smallest))",
        typescript: "halfLength: Math.sqrt(deviations * largest),\n    halfWidth: Math.sqrt(deviations * smallest),",
        says: "The root applies to the 4 as well, so this box ends at 2σ and cuts off the blob.",
      },
      {
        wgsl: "DEVIATIONS * sqrt(vec2f(smallest, largest))",
        typescript: "halfLength: deviations * Math.sqrt(smallest),\n    halfWidth: deviations * Math.sqrt(largest),",
        says: "The axis of the box is the direction of the largest eigenvalue. This box is turned by 90°.",
      },
      {
        wgsl: "DEVIATIONS * sqrt(vec2f(largest, largest))",
        typescript: "halfLength: deviations * Math.sqrt(largest),\n    halfWidth: deviations * Math.sqrt(largest),",
        says: "A square box draws the right image, but lists blobs in tiles that they do not reach. The shorter side is from the smallest eigenvalue.",
      },
      {
        wgsl: "sqrt(vec2f(largest, smallest))",
        typescript: "halfLength: Math.sqrt(largest),\n    halfWidth: Math.sqrt(smallest),",
        says: "This box ends at σ. The support ends at 4σ.",
      },
    ],
  },
  {
    id: "tiles.slot",
    title: "A slot of the list",
    task: "A thread has found blob i for the tile. Declare slot, its place in the list, and count the blob in sh_blobCountAtomic.",
    wgsl: {
      file: "tiled/coarseRasterize.wgsl",
      hides: "let slot = atomicAdd(&sh_blobCountAtomic, 1u);",
    },
    typescript: {
      file: "model/shortList.ts",
      hides: "if (list.blobCount < list.blobs.length) list.blobs[list.blobCount] = i;\n    list.blobCount++;",
      task: "Blob i meets the tile. Store it in list.blobs, and count it in list.blobCount even if it does not fit. list.blobs is a typed array: its length is the capacity, and it ignores what is written behind its end.",
    },
    hint: "Slots are numbered from 0, so the number of blobs before this one is its slot.",
    reason:
      "The old value of the counter is the number of blobs before this one, and no other thread gets the same. Blobs that do not fit are counted too, so the overflow is noticed.",
    mistakes: [
      {
        wgsl: "let slot = atomicAdd(&sh_blobCountAtomic, 1u) + 1u;",
        typescript: "list.blobCount++;\n    if (list.blobCount < list.blobs.length) list.blobs[list.blobCount] = i;",
        says: "The first blob goes to slot 1 here: slot 0 stays empty, and the last blob lies behind the end of the list.",
      },
      {
        wgsl: "let slot = atomicAdd(&sh_blobCountAtomic, 1u);\n      atomicMin(&sh_blobCountAtomic, GAUSSIANS_PER_BLOCK);",
        typescript: "if (list.blobCount < list.blobs.length) list.blobs[list.blobCount++] = i;",
        says: "Blobs that do not fit are not counted, so the overflow is not noticed and they are dropped.",
      },
      {
        wgsl: "let slot = atomicLoad(&sh_blobCountAtomic);\n      atomicAdd(&sh_blobCountAtomic, 1u);",
        says: "Between the two operations another thread can load the same number. Both then write to one slot.",
      },
    ],
  },
  {
    id: "tiles.window",
    title: "The next window",
    task: "The tile has composited the list of list.window, the blob indices start ≤ i < end. Gather the next window: call shortListAfter(start, length, bounds, localIndex), which shortens the window until its list fits. length is the length to try first, and bounds is the box of the tile.",
    wgsl: {
      file: "tiled/computeDerivatives.wgsl",
      hides: "shortListAfter(list.window.end, length, bounds, localIndex)",
    },
    typescript: {
      file: "model/shortList.ts",
      hides: "start = end;",
      task: "The window covers the blob indices start ≤ i < end, and its list fits. Set start for the next window.",
    },
    hint: "The end of a window is exclusive: it is the first index that has not been tested.",
    reason: "The windows have to cover every index exactly once, so the next one starts where this one ends.",
    mistakes: [
      {
        wgsl: "shortListAfter(list.window.end + 1u, length, bounds, localIndex)",
        typescript: "start = end + 1;",
        says: "The end is exclusive, so this leaves out one blob between two windows.",
      },
      {
        wgsl: "shortListAfter(list.window.start + GAUSSIANS_PER_BLOCK, length, bounds, localIndex)",
        typescript: "start += gaussiansPerBlock;",
        says: "This moves on by the slots of a list. A window has more indices than that, since most blobs do not meet the tile, so the next window tests some of them again.",
      },
    ],
  },
];
