import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Workgroups and shared memory". */
export const workgroupsExercises: readonly Exercise[] = [
  {
    id: "workgroups.tile",
    title: "First pixel of a tile",
    task: "Compute the first pixel of a tile. tile is its index, and across the number of tiles in a row. A tile is TILE_WIDTH × TILE_HEIGHT pixels.",
    wgsl: {
      file: "shared/uv.wgsl",
      hides: "vec2u(tile % across, tile / across) * vec2u(TILE_WIDTH, TILE_HEIGHT)",
    },
    typescript: {
      file: "model/uv.ts",
      hides: "{ x: (tile % across) * width, y: Math.floor(tile / across) * height }",
      task: "Return the first pixel of a tile as {x, y}. tile is the index of the tile, across the number of tiles in a row, and a tile is width × height pixels.",
    },
    hint: "Tiles are numbered row by row: the remainder of a division is the column, the quotient the row.",
    reason:
      "The column of the tile is tile mod across, its row ⌊tile / across⌋. Times the size of a tile, that is its first pixel.",
    mistakes: [
      {
        wgsl: "vec2u(tile / across, tile % across) * vec2u(TILE_WIDTH, TILE_HEIGHT)",
        typescript: "{ x: Math.floor(tile / across) * width, y: (tile % across) * height }",
        says: "Column and row are swapped: tile 1 is to the right of tile 0, not below it.",
      },
      {
        wgsl: "vec2u(tile % across, tile / across)",
        typescript: "{ x: tile % across, y: Math.floor(tile / across) }",
        says: "This is the column and the row of the tile among the tiles, not a pixel.",
      },
      {
        wgsl: "vec2u(tile, tile / across) * vec2u(TILE_WIDTH, TILE_HEIGHT)",
        typescript: "{ x: tile * width, y: Math.floor(tile / across) * height }",
        says: "The columns start again in every row of tiles: the column is the remainder of a division.",
      },
      {
        typescript: "{ x: (tile % across) * width, y: (tile / across) * height }",
        says: "The row of a tile is a whole number. In TypeScript, round the quotient down.",
      },
    ],
  },
  {
    id: "workgroups.edge",
    title: "Threads beyond the edge",
    task: "Write the condition under which a thread has a pixel of the image. pixel and renderSize are vec2u; all(…) is true if every component is.",
    wgsl: { file: "shared/uv.wgsl", hides: "all(pixel < renderSize)" },
    typescript: {
      file: "model/uv.ts",
      hides: "Math.ceil(render.width / width)",
      task: "Compute the number of tiles in a row of the image. Every pixel of the image needs a tile, so the last tile may extend beyond the edge.",
    },
    hint: "Pixels are numbered from 0. An image of width 21 has the columns 0 to 20, and three tiles of width 8.",
    reason:
      "The image has the pixels 0 ≤ x < width and 0 ≤ y < height. Tiles cover all of them if the number of tiles in a row is rounded up.",
    mistakes: [
      {
        wgsl: "all(pixel < renderSize - 1u)",
        typescript: "Math.floor(render.width / width)",
        says: "The last pixels of a row are part of the image too. Here no thread computes them.",
      },
      {
        wgsl: "all(pixel <= renderSize)",
        says: "Pixels are numbered from 0, so x = width is outside. A write there lands in the next row of the image.",
      },
      {
        typescript: "render.width / width",
        says: "The number of tiles has to be whole: round up.",
      },
      {
        typescript: "Math.floor(render.width / width) + 1",
        says: "Where the width is a multiple of the tile’s, this is one tile too many.",
      },
      {
        wgsl: "any(pixel < renderSize)",
        says: "A pixel is inside only if both its column and its row are.",
      },
    ],
  },
  {
    id: "workgroups.barrier",
    title: "Write, wait, read",
    task: "The threads of a workgroup add up their values in sh_reduction, which has a word for each. Store value in the word of this thread, localIndex, and write what has to come before the first addition.",
    wgsl: {
      file: "shared/accumulate.wgsl",
      hides: "sh_reduction[localIndex] = value;\n  workgroupBarrier();",
    },
    typescript: {
      file: "model/shortList.ts",
      hides: "if (swapped) [blobs[i], blobs[l]] = [blobs[l], blobs[i]];",
      task: "This loop sorts a list, the subject of a later chapter. Swap the words blobs[i] and blobs[l] if swapped is true.",
    },
    hint: "A word must not be read before it is written, and not be overwritten while its old value is needed.",
    reason:
      "Every word is written before the barrier and read by another thread after it. Within one thread, the order of the statements suffices: the swap reads both words before it writes them.",
    mistakes: [
      {
        wgsl: "sh_reduction[localIndex] = value;",
        typescript: "if (swapped) { blobs[i] = blobs[l]; blobs[l] = blobs[i]; }",
        says: "A word is read at the wrong time: before it is written, or after it is overwritten.",
        // No barrier after the last assignment.
        race: /^(?![\s\S]*workgroupBarrier\(\)[^=]*$)/,
      },
      {
        wgsl: "sh_reduction[localIndex] += value;\n  workgroupBarrier();",
        says: "The word still holds the result of an earlier sum. The value has to replace it.",
      },
      {
        typescript: "if (swapped) { blobs[l] = blobs[i]; blobs[i] = blobs[l]; }",
        says: "The second statement reads a word that the first one has overwritten.",
      },
      {
        typescript: "[blobs[i], blobs[l]] = [blobs[l], blobs[i]];",
        says: "This swaps pairs that are in order.",
      },
    ],
  },
];
