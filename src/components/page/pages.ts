type PageLink = readonly [path: string, name: string];

/** The pages of the navigation, by their path below src/, with their names there. */
export const pages: readonly PageLink[] = [
  ["index", "Lab"],
  ["learn/index", "Learn"],
  ["kernels", "Kernels"],
  ["sweep", "Sweeps"],
  ["compare", "Compare"],
  ["reports/index", "Reports"],
  ["docs/index", "Docs"],
];

/** The parts of the chapters, each with its chapters in order. */
export const parts: readonly { name: string; chapters: readonly PageLink[] }[] = [
  {
    name: "Learning an image",
    chapters: [
      ["learn/blob", "Blob"],
      ["learn/blending", "Blending"],
      ["learn/undo", "Undo"],
      ["learn/gradients", "Gradients"],
      ["learn/adam", "Adam"],
      ["learn/step", "The whole step"],
    ],
  },
  {
    name: "On the GPU",
    chapters: [
      ["learn/workgroups", "Workgroups"],
      ["learn/tiles", "Tiles"],
      ["learn/sorting", "Sorting"],
      ["learn/reduction", "Summing gradients"],
      ["learn/realtime", "Real time"],
    ],
  },
];

/** The chapters in order. */
export const chapters: readonly PageLink[] = parts.flatMap((part) => part.chapters);
