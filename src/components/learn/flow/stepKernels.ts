import type { TrainConfig } from "../../../engine/config.js";
import type { AdapterTraits } from "../../../engine/gpu/adapter.js";
import { kernelsOf } from "../../../engine/gpu/pipelines.js";
import type { Size } from "../../../engine/image/image.js";
import type { ShaderLibrary } from "../../../engine/shaders.js";
import { type SharedVariable, usesOf } from "./variableUses.js";

/** A kernel of a training step. */
export type StepKernel = ReturnType<typeof stepKernels>[number];

/** Kernels that are dispatched outside the step: before the first one, and for statistics. */
const kernelsOutsideStep = ["project", "sumSlots", "summarize"];

/** Uniforms, which every kernel reads. */
const uniformNames = ["job", "dispatch"];

/** Without an adapter, kernels are chosen as for one without any traits. */
const unknownAdapter: AdapterTraits = { isSoftware: false, subgroupSizes: undefined };

/** Returns the kernels of a step of a pipeline in order, and the one that draws if it is another. */
export function stepKernels(shaders: ShaderLibrary, config: TrainConfig, image: Size, adapter = unknownAdapter) {
  return (
    Object.entries(kernelsOf(config, adapter, image))
      .filter(([name]) => !kernelsOutsideStep.includes(name))
      // In `binned` the kernel that rasterizes draws too.
      .filter(([, { file }], index, all) => all.findIndex(([, other]) => other.file === file) === index)
      .map(([name, { file }]) => ({
        name,
        file,
        uses: usesOf(shaders, file).filter(({ variable }) => {
          return variable.space === "buffer" && !uniformNames.includes(variable.name);
        }),
      }))
  );
}

/** Returns the buffers of a step, in order of first use. */
export function stepBuffers(kernels: readonly StepKernel[]): SharedVariable[] {
  const buffers = new Map(kernels.flatMap(({ uses }) => uses.map(({ variable }) => [variable.name, variable])));
  // Except for the parameters, the optimizer's state and the target, which come first.
  const firstNames = ["parameters", "firstMoments", "secondMoments", "gradients", "targetImage"];
  const rank = (name: string) => (firstNames.includes(name) ? firstNames.indexOf(name) : firstNames.length);
  return [...buffers.values()].sort((a, b) => rank(a.name) - rank(b.name));
}
