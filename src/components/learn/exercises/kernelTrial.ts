import { withCustomKernels } from "../../../engine/gpu/customKernels.js";
import { stateOf } from "../../../engine/model/blobs.js";
import type { Backend } from "../../../engine/pipeline.js";
import type { ShaderLibrary } from "../../../engine/shaders.js";
import { libraryWith } from "../../kernels/kernelEdits.js";
import type { RunTrial } from "./checkAnswer.js";

/** Iterations after which a loop of an edited kernel is ended. */
const maxIterations = 4096;

/** Changes of the kernels, by file, with which a GPU's order or number of threads hides no mistake. */
const revealingEdits: Record<string, [shipped: string, changed: string]> = {
  // Threads may append to a list in any order. On many GPUs they would append in ascending order, so a list without a
  // sort would be right.
  "tiled/coarseRasterize.wgsl": ["window.start + localIndex", "window.start + (WORKGROUP_SIZE - 1u - localIndex)"],
  // The slots of a small blob would have a thread each, and none would be added.
  "binned/7-updateBlobs.wgsl": [
    "for (var k = member; k < min(range.y, OWN_TILES); k += THREADS_PER_BLOB)",
    "for (var k = select(OWN_TILES, 0u, member == 0u); k < min(range.y, OWN_TILES); k++)",
  ],
};

function withRevealingEdits(shaders: ShaderLibrary): ShaderLibrary {
  const texts = Object.entries(revealingEdits).map(([file, [shipped, changed]]) => {
    const text = shaders.get(file)!;
    if (!text.includes(shipped)) throw new Error(`${file} does not contain "${shipped}".`);
    return [file, text.replace(shipped, changed)];
  });
  return libraryWith(shaders, Object.fromEntries(texts));
}

/**
 * Returns a function that runs edited kernels with a training pipeline on the GPU.
 * @param backendOf returns the backend of a pipeline
 */
export function kernelTrials(shaders: ShaderLibrary, backendOf: (pipeline: "tiled" | "binned") => Backend): RunTrial {
  return async (file, text, { config: sceneConfig, image, parameters, steps }, pipelineName = "tiled") => {
    const gaussiansPerBlock = pipelineName === "binned" ? "auto" : sceneConfig.gaussiansPerBlock;
    const config = { ...sceneConfig, pipeline: pipelineName, gaussiansPerBlock } as const;
    const library = withRevealingEdits(libraryWith(shaders, { [file]: text }));
    const backend = withCustomKernels(backendOf(pipelineName), library, maxIterations);
    const pipeline = await backend.open(config, image, stateOf(parameters));
    try {
      const { data: render } = await pipeline.render(image);
      const gradients = Float64Array.from(await pipeline.computeGradients());
      const { lengths } = await pipeline.tiles();
      await pipeline.advance(steps);
      const after = Float64Array.from((await pipeline.state()).parameters);
      // binned lists only the tiles that the ellipse meets, not all that its box meets.
      const intersections = pipelineName === "tiled" ? lengths.reduce((a, b) => a + b) : undefined;
      return { render, gradients, parameters: after, ...(intersections !== undefined && { intersections }) };
    } finally {
      await pipeline.free();
    }
  };
}
