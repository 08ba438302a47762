// The model of the chapter step.md: what a training step does, as tables. The charts are in the page.
import { laneLines } from "../components/learn/flow/laneLines.js";
import { stepBuffers, stepKernels } from "../components/learn/flow/stepKernels.js";
import type { Snapshot } from "../components/learn/snapshotFile.js";
import type { PipelineName } from "../engine/config.js";
import { corrections, updateBlobs } from "../engine/model/adam.js";
import { oracle } from "../engine/model/oracle.js";
import { differentiate } from "../engine/model/rasterize.js";
import { ratesAt } from "../engine/model/rates.js";
import { tiledBlobs } from "../engine/model/tiledBlobs.js";
import { tileArea } from "../engine/model/uv.js";
import type { ShaderLibrary } from "../engine/shaders.js";

export { stepExercise } from "../components/learn/exercises/step.js";
export { filesOf } from "../engine/gpu/declarations.js";

/** Computes the next step of a run with the CPU reference, and counts what it does. */
export function recordStep({ config, image, state }: Snapshot) {
  const { parameters, firstMoments, secondMoments, step } = state;
  const blobs = tiledBlobs(config, image, parameters);
  const { across, lists } = blobs;
  const lengths = lists.map(({ length }) => length);
  const counts = { applied: 0, adjoints: 0 };
  differentiate(blobs, image.data, {
    pixel: ({ finalCount }) => {
      counts.applied += finalCount;
    },
    blob: () => {
      counts.adjoints++;
    },
  });
  const { loss, gradients } = oracle(config, image, parameters);
  const next = parameters.slice();
  const moments = [firstMoments.slice(), secondMoments.slice()] as const;
  updateBlobs(next, ...moments, gradients, ratesAt(config, step + 1), corrections(config.biasCorrection, step + 1));
  const evaluations = lengths.map((length, tile) => {
    const { left, top, right, bottom } = tileArea(tile, across, config.tile, image);
    return (right - left) * (bottom - top) * length;
  });
  return {
    ...counts,
    blobs: config.blobs,
    slots: parameters.length,
    pixels: image.width * image.height,
    tiles: lists.length,
    intersections: lists.flat().length,
    longest: Math.max(...lengths),
    evaluations: evaluations.reduce((sum, count) => sum + count, 0),
    loss,
    after: oracle(config, image, next).loss,
  };
}

/** A stage: its name, position in the flow, chapter, what it does in this step, and why it has a gradient or none. */
type Stage = ReturnType<typeof stagesOf>[number];

/** Returns the stages of a step in order. */
export function stagesOf(counts: ReturnType<typeof recordStep>) {
  const text = (name: Exclude<keyof typeof counts, "loss" | "after">) => counts[name].toLocaleString("en");
  const stage = (
    name: string,
    [x, y]: [number, number],
    chapter: string,
    note: string,
    reason: string,
    kind: "value" | "selection" | "gradient" = "value",
    isParallel = false,
  ) => ({ name, x, y, href: `./${chapter}`, note, reason, kind, isParallel });
  return [
    stage(
      "Decode",
      [0, 1],
      "blob",
      `${text("slots")} raw parameters`,
      "A smoothstep has a slope everywhere. It is zero outside 0 to 1, where a parameter gets no gradient.",
    ),
    stage(
      "Gather",
      [1, 0],
      "tiles",
      `${text("intersections")} list entries`,
      "Whether a box meets a tile is a comparison: no gradient. Where a blob joins or leaves a list, its α is zero there.",
      "selection",
    ),
    stage(
      "Sort",
      [2, 0],
      "sorting",
      `${text("tiles")} lists`,
      "An order has no slope. Here it never changes, since the index of a blob is its depth.",
      "selection",
      true,
    ),
    stage(
      "Evaluate",
      [1, 1],
      "blob",
      `${text("evaluations")} at most`,
      "An exponential of a quadratic. α is zero beyond 4σ and limited to 0.99: at the limit, its gradient is zero.",
    ),
    stage(
      "Blend",
      [2, 1],
      "blending",
      `${text("applied")} blends`,
      "C + αTc and T (1 − α) are polynomials, with a gradient everywhere.",
    ),
    stage(
      "Stop",
      [3, 0],
      "blending",
      "at T < 1/255",
      "A comparison: no gradient. The blobs that are left out could change a channel by less than one level of an 8-bit image.",
      "selection",
    ),
    stage("Composite", [3, 1], "blending", `${text("pixels")} pixels`, "C (1 − T) + T is a polynomial."),
    stage(
      "Loss",
      [4, 1],
      "blob",
      counts.loss.toFixed(6),
      "A mean of squares. The backward pass begins with its derivative, twice the error.",
    ),
    stage(
      "Undo",
      [4, 2],
      "undo",
      `${text("applied")} divisions`,
      "T before a blob is T / (1 − α), from the last blob to the first.",
      "gradient",
    ),
    stage(
      "Adjoint",
      [3, 2],
      "gradients",
      `${text("adjoints")} adjoints`,
      "The chain rule through blend, falloff and decoding, where α is not zero.",
      "gradient",
    ),
    stage(
      "Reduce",
      [2, 2],
      "reduction",
      "a sum per list entry",
      "The threads of a tile sum each gradient of each entry of their list.",
      "gradient",
      true,
    ),
    stage(
      "Accumulate",
      [1, 2],
      "reduction",
      `into ${text("slots")} floats`,
      "Tiles add their sums by compare-and-swap, since several have the same blob.",
      "gradient",
      true,
    ),
    stage(
      "Adam",
      [0, 2],
      "adam",
      `${text("slots")} updates`,
      "Each raw parameter moves against its gradient. The next step begins with the new values.",
      "gradient",
    ),
  ];
}

/** The arrows between stages: values and gradients in order, and the selections with what they depend on. */
const arrowNames = [
  ...["Decode Evaluate", "Evaluate Blend", "Blend Composite", "Composite Loss"].map((ends) => ({
    ends,
    kind: "value",
  })),
  ...["Loss Undo", "Undo Adjoint", "Adjoint Reduce", "Reduce Accumulate", "Accumulate Adam", "Adam Decode"].map(
    (ends) => ({
      ends,
      kind: "gradient",
    }),
  ),
  ...["Decode Gather", "Gather Sort", "Sort Blend", "Stop Composite"].map((ends) => ({ ends, kind: "selection" })),
];

/** Returns the arrows between stages, from the edge of one box to the edge of another. */
export function arrowsOf(stages: readonly Stage[], halfWidth: number, halfHeight: number) {
  const find = (wanted: string) => stages.find(({ name }) => name === wanted)!;
  return arrowNames.map(({ ends, kind }) => {
    const [from, to] = ends.split(" ").map(find);
    const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
    if (dy === 0) return { kind, x1: from.x + dx * halfWidth, y1: from.y, x2: to.x - dx * halfWidth, y2: to.y };
    return {
      kind,
      x1: from.x + 0.6 * dx * halfWidth,
      y1: from.y + dy * halfHeight,
      x2: to.x - 0.6 * dx * halfWidth,
      y2: to.y - dy * halfHeight,
    };
  });
}

/**
 * Returns the kernels of a step of a pipeline in order, the buffers that they share, how each uses them, and the lines from
 * the kernel that writes a buffer to those that read it; `isBack` marks lines to the next step.
 */
export function recordKernels(shaders: ShaderLibrary, { config, image }: Snapshot, pipeline: PipelineName) {
  const kernels = stepKernels(shaders, { ...config, pipeline }, image);
  const buffers = stepBuffers(kernels).map(({ name }) => name);
  const useOf = (buffer: string) =>
    kernels.map(({ uses }) => uses.find(({ variable }) => variable.name === buffer)?.use);
  return {
    kernels: kernels.map(({ name, file }) => ({ name, file })),
    buffers,
    uses: buffers.flatMap((buffer) =>
      useOf(buffer).flatMap((use, kernel) =>
        use ? { buffer, kernel, reads: use !== "writes", writes: use !== "reads" } : [],
      ),
    ),
    lines: buffers.flatMap((buffer) => laneLines(useOf(buffer), true).map((line) => ({ buffer, ...line }))),
  };
}
