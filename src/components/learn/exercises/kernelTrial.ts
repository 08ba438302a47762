import { withCustomKernels } from "../../../engine/gpu/customKernels.js";
import { stateOf } from "../../../engine/model/blobs.js";
import type { Backend } from "../../../engine/pipeline.js";
import type { ShaderLibrary } from "../../../engine/shaders.js";
import { libraryWith } from "../../kernels/kernelEdits.js";
import type { TrialHost } from "./checkAnswer.js";

/** Iterations after which a loop of an edited kernel is ended. */
const maxIterations = 4096;

const gatherFile = "tiled/coarseRasterize.wgsl";

/**
 * Returns the kernels with threads that visit the blobs in descending order. Threads may append to a list in any order,
 * but on many GPUs they would append in ascending order, and the list would need no sort.
 */
function withReversedArrival(shaders: ShaderLibrary): ShaderLibrary {
  const descending = "window.start + (WORKGROUP_SIZE - 1u - localIndex)";
  const text = shaders.get(gatherFile)!.replace("window.start + localIndex", descending);
  return libraryWith(shaders, { [gatherFile]: text });
}

/**
 * Returns a host that runs edited kernels with a training pipeline on the GPU.
 * @param backendOf returns the backend of a pipeline
 */
export function kernelTrials(shaders: ShaderLibrary, backendOf: (pipeline: "tiled" | "binned") => Backend): TrialHost {
  return {
    source: async (file) => shaders.get(file) ?? "",
    async run({ file, text }, { config: sceneConfig, image, parameters, steps }, pipelineName = "tiled") {
      const gaussiansPerBlock = pipelineName === "binned" ? "auto" : sceneConfig.gaussiansPerBlock;
      const config = { ...sceneConfig, pipeline: pipelineName, gaussiansPerBlock } as const;
      const library = withReversedArrival(libraryWith(shaders, { [file]: text }));
      const backend = withCustomKernels(backendOf(pipelineName), library, { maxIterations });
      const pipeline = await backend.open(config, image, stateOf(parameters));
      try {
        const { data: render } = await pipeline.render(image);
        const gradients = Float64Array.from(await pipeline.computeGradients());
        await pipeline.advance(steps);
        return { render, gradients, parameters: Float64Array.from((await pipeline.state()).parameters) };
      } finally {
        await pipeline.free();
      }
    },
  };
}
