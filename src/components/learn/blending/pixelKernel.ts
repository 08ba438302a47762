import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/uniforms.js";
import type { BenchKernel } from "../../../engine/gpu/workbench.js";
import { parameterCount } from "../../../engine/model/blobs.js";
import { counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import { largestDifference } from "../largest.js";
import { blendSteps, colorOf, type PixelStack } from "../pixelStack.js";

/** The kernel's results for one pixel. A state is red, green, blue and T in float32. */
export type PixelTrace = Awaited<ReturnType<typeof tracePixel>>;

const file = "tiled/fineRasterize.wgsl";
const bits = (...names: string[]) => names.map((name) => `bitcast<u32>(${name})`);
const componentBits = (vector: string) => bits(...["x", "y", "z", "w"].map((field) => `${vector}.${field}`));
const blendLine = "state = transformPixelState(state, eval(loadBlob(sh_blobs[i]), uv));";
const undoLine = "let state = stateBefore(current.state, index, value);";
const gradientLine = "let gradient = alphaBlendBackward(state.value, value, current.d);";
const alpha = bits("eval(loadBlob(sh_blobs[i]), uv).a");
const probes: Probe[] = [
  { name: "after", file, at: blendLine, values: componentBits("state.value") },
  { name: "blob", file, at: blendLine, values: ["sh_blobs[i]", ...alpha, "state.finalCount"] },
  { name: "undone", file, at: undoLine, values: componentBits("state.value") },
  { name: "undoneBlob", file, at: undoLine, values: ["blobIndex", "index", "current.state.finalCount"] },
  { name: "gradient", file, at: gradientLine, values: componentBits("gradient.blob") },
];

/** Capacity of the list in workgroup memory; a longer list is processed in several passes, as in the pipeline. */
const gaussiansPerBlock = 256;

/** Runs the training kernel on one pixel, forward and backward, with probes in its loops. */
export async function tracePixel(gpu: Gpu, { scene, x, y, blobs }: PixelStack) {
  const { config, target: image, inspection: snapshot } = scene;
  const { width, height } = image;
  const pixel = y * width + x;
  const range = { size: { width, height }, first: pixel, end: pixel + 1, step: 1 };
  const kernel: BenchKernel = {
    file: "learn/blendPixel.wgsl",
    constants: { ...modelConstants(config), TILE_WIDTH: 1, TILE_HEIGHT: 1, GAUSSIANS_PER_BLOCK: gaussiansPerBlock },
    buffers: {
      job: jobUniform(gpu.shaders, config, image),
      dispatch: dispatchUniform(gpu.shaders, [range], config),
      parameters: snapshot.state.parameters,
      gradients: 4 * parameterCount * config.blobs,
      targetImage: image.data,
      shortList: Uint32Array.of(blobs.length, ...blobs.map(({ index }) => index)),
      blended: 32,
    },
  };
  const { events, buffers } = await traceKernel(gpu, kernel, probes, probes.length * (blobs.length + 1));
  const valuesOf = (name: string) => events.filter(({ probe }) => probe === name).map(({ values }) => values);
  const floats = (name: string) => valuesOf(name).map((words) => [...new Float32Array(Uint32Array.from(words).buffer)]);
  const [after, blended, undone, gradients] = ["after", "blob", "undone", "gradient"].map(floats);
  /** The iterations of the forward loop. */
  const forward = valuesOf("blob").map(([blob, , finalCount], i) => {
    return { blob, alpha: blended[i][1], after: after[i], finalCount };
  });
  /** The iterations of the backward loop, last blob first, with the reconstructed state before each applied blob. */
  const backward = valuesOf("undoneBlob")
    .map(([blob, index, finalCount], i) => ({ blob, isApplied: index <= finalCount, undone: undone[i] }))
    .filter(({ isApplied }) => isApplied)
    .map(({ blob, undone }, i) => ({ blob, undone, dAlpha: gradients[i][3] }));
  // `start` is the state after all blobs have been undone.
  return { forward, backward, start: [...new Float32Array(buffers.blended, 16, 4)] };
}

/** Returns a sentence on the largest difference between the loops of the kernel and of the CPU reference. */
export function describeKernelDifference(gpu: Gpu, { scene, blobs }: PixelStack, { forward }: PixelTrace): string {
  const differences = blendSteps(blobs, scene.config.blend).map(({ after }, i) =>
    largestDifference([...colorOf(after), after.transmittance], forward[i].after),
  );
  const iterations = counted(blobs.length, "iteration");
  const largest = numberText(Math.max(0, ...differences), 3);
  return `The kernel ran at this pixel on ${gpu.description}, with probes. Over the ${iterations} of its loop it differs from the CPU reference by at most ${largest} in C and T.`;
}
