import { withCustomKernels } from "../../../engine/gpu/customKernels.js";
import { stateOf } from "../../../engine/model/blobs.js";
import type { Backend } from "../../../engine/pipeline.js";
import type { ShaderLibrary } from "../../../engine/shaders.js";
import { libraryWith } from "../../kernels/kernelEdits.js";
import type { TrialHost } from "./checkAnswer.js";

/** Iterations after which a loop of an edited kernel is ended. */
const maxIterations = 4096;

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
      const library = libraryWith(shaders, { [file]: text });
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
