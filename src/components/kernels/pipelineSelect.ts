import { completeConfig, type PipelineName, type TrainConfig } from "../../engine/config.js";
import { gpuPipelines } from "../../engine/gpu/pipelines.js";
import { Field } from "../inputs/field.js";
import { element } from "../page/element.js";

/** Chooses the pipeline whose kernels are read, where none can run. */
export function pipelineSelect(): HTMLElement & { value: { config: TrainConfig } } {
  const jobOf = (pipeline: string) => ({ config: completeConfig({ pipeline: pipeline as PipelineName }) });
  const choice = element(
    "select",
    { oninput: () => Object.assign(root, { value: jobOf(choice.value) }) },
    ...gpuPipelines.map((name) => element("option", { value: name, selected: name === "binned" }, name)),
  );
  const { node } = new Field("Pipeline", "Its kernels are shown below.", choice);
  const root = Object.assign(node, { value: jobOf("binned") });
  return root;
}
