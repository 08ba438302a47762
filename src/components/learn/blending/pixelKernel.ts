import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/uniforms.js";
import type { BenchKernel } from "../../../engine/gpu/workbench.js";
import { parameterCount } from "../../../engine/model/blobs.js";
import { counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import { blendSteps, colorOf, type PixelStack } from "./pixelStack.js";

/** What the kernel did to one pixel. A state is its red, green, blue and T, in float32. */
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

/** Entries of the list in workgroup memory; a longer one is taken in parts, as the pipeline takes it in passes. */
const gaussiansPerBlock = 256;

/** Runs the stage that trains on one pixel, forward and backward, with probes in its loops. */
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
  /** The turns of the loop. */
  const forward = valuesOf("blob").map(([blob, , finalCount], i) => {
    return { blob, alpha: blended[i][1], after: after[i], finalCount };
  });
  /** The turns backward, the last blob first, with the state before each: only what was applied is undone. */
  const backward = valuesOf("undoneBlob")
    .map(([blob, index, finalCount], i) => ({ blob, isApplied: index <= finalCount, undone: undone[i] }))
    .filter(({ isApplied }) => isApplied)
    .map(({ blob, undone }, i) => ({ blob, undone, dAlpha: gradients[i][3] }));
  // And what is left when all is undone.
  return { forward, backward, start: [...new Float32Array(buffers.blended, 16, 4)] };
}

/** How far the kernel's loop and the twin's are apart, in words. */
export function describeKernelDifference(gpu: Gpu, { scene, blobs }: PixelStack, { forward }: PixelTrace): string {
  const differences = blendSteps(blobs, scene.config.blend).flatMap(({ after }, i) =>
    [...colorOf(after), after.transmittance].map((value, channel) => Math.abs(forward[i].after[channel] - value)),
  );
  const iterations = counted(blobs.length, "iteration");
  const largest = numberText(Math.max(0, ...differences), 3);
  return `The kernel, run on ${gpu.description} and probed at this pixel: over the ${iterations} of its loop it differs from the CPU reference by at most ${largest} in C and T.`;
}
