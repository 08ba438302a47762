import { parameterCount } from "../../../engine/blobs.js";
import type { TrainConfig } from "../../../engine/config.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/pipeline.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import type { BenchKernel } from "../../../engine/gpu/workbench.js";
import type { Image } from "../../../engine/image.js";

/** Premultiplied red, green and blue, and T, as the GPU has them: float32. */
export type KernelState = [red: number, green: number, blue: number, transmittance: number];

/** A turn of the kernel's loop forward. */
export interface KernelBlend {
  blob: number;
  alpha: number;
  after: KernelState;
  finalCount: number;
}

/** A turn of its loop backward, of a blob that was applied. */
export interface KernelUndo {
  blob: number;
  /** The state before the blob, reconstructed. */
  undone: KernelState;
  dColor: [red: number, green: number, blue: number];
  dAlpha: number;
}

/** What the kernel did to one pixel. */
export interface PixelTrace {
  forward: KernelBlend[];
  /** In the order of their coming: the last blob first. */
  backward: KernelUndo[];
  /** What is left when all is undone. */
  start: KernelState;
}

/** A pixel and what it is blended from. */
export interface PixelJob {
  config: TrainConfig;
  image: Image;
  /** Raw parameters of all blobs, field-major. */
  parameters: Float32Array;
  x: number;
  y: number;
  /** Blob indices, front to back. */
  shortList: readonly number[];
}

const file = "tiled/fineRasterize.wgsl";
const bits = (...names: string[]) => names.map((name) => `bitcast<u32>(${name})`);

const blendLine = "state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv));";
const undoLine = "let state = undoPixelState(current.state, index, value);";
const gradientLine = "let gradient = alphaBlendBackward(state.value, value, current.d);";
const probes: Probe[] = [
  {
    name: "after",
    file,
    at: blendLine,
    values: bits("state.value.x", "state.value.y", "state.value.z", "state.value.w"),
  },
  {
    name: "blob",
    file,
    at: blendLine,
    values: ["sh_blobs[i]", ...bits("eval(loadBlob(sh_blobs[i]), uv).a"), "state.finalCount"],
  },
  {
    name: "undone",
    file,
    at: undoLine,
    values: bits("state.value.x", "state.value.y", "state.value.z", "state.value.w"),
  },
  { name: "undoneBlob", file, at: undoLine, values: ["blobIndex", "index", "current.state.finalCount"] },
  {
    name: "gradient",
    file,
    at: gradientLine,
    values: bits("gradient.blob.x", "gradient.blob.y", "gradient.blob.z", "gradient.blob.w"),
  },
];

/** Entries of the list in workgroup memory; a longer one is taken in parts, as the pipeline takes it in passes. */
const gaussiansPerBlock = 256;

/** Runs the stage that trains on one pixel, forward and backward, with probes in its loops. */
export async function tracePixel(gpu: Gpu, job: PixelJob): Promise<PixelTrace> {
  const { config, image, parameters, x, y, shortList } = job;
  const { width, height } = image;
  const pixel = y * width + x;
  const share = { size: { width, height }, first: pixel, end: pixel + 1, step: 1 };
  const kernel: BenchKernel = {
    file: "learn/blendPixel.wgsl",
    constants: {
      ...modelConstants(config),
      TILE_WIDTH: 1,
      TILE_HEIGHT: 1,
      GAUSSIANS_PER_BLOCK: gaussiansPerBlock,
    },
    buffers: {
      0: { type: "uniform", contents: jobUniform(config, image) },
      1: { type: "uniform", contents: dispatchUniform([share], config) },
      2: { type: "read-only-storage", contents: parameters },
      3: { type: "storage", contents: 4 * parameterCount * config.blobs },
      5: { type: "read-only-storage", contents: image.data },
      10: { type: "read-only-storage", contents: Uint32Array.of(shortList.length, ...shortList) },
      11: { type: "storage", contents: 32 },
    },
  };
  const { events, buffers } = await traceKernel(gpu, kernel, probes, probes.length * (shortList.length + 1));
  const told = (name: string) => events.filter(({ probe }) => probe === name).map(({ values }) => values);
  const after = told("after");
  const undone = told("undone");
  const gradients = told("gradient");
  const forward = told("blob").map(([blob, alpha, finalCount], i) => ({
    blob,
    alpha: floatOf(alpha),
    after: after[i].map(floatOf) as KernelState,
    finalCount,
  }));
  // Only what was applied is undone, and has a gradient.
  const backward = told("undoneBlob")
    .map(([blob, index, finalCount], i) => ({ blob, isApplied: index <= finalCount, state: undone[i] }))
    .filter(({ isApplied }) => isApplied)
    .map(({ blob, state }, i) => {
      const [red, green, blue, dAlpha] = gradients[i].map(floatOf);
      const dColor: KernelUndo["dColor"] = [red, green, blue];
      return { blob, undone: state.map(floatOf) as KernelState, dColor, dAlpha };
    });
  const start = [...new Float32Array(buffers[11], 16, 4)] as KernelState;
  return { forward, backward, start };
}

const word = new Uint32Array(1);
const asFloat = new Float32Array(word.buffer);

function floatOf(bits: number): number {
  word[0] = bits;
  return asFloat[0];
}
