import { completeConfig, type PipelineName, type TrainConfig } from "../../engine/config.js";
import { gpuPipelines } from "../../engine/gpu/kernels.js";
import type { BrowserEngine } from "../../host/browser.js";
import type { ChosenPicture } from "../../host/pictures.js";
import { decodePicture } from "../../host/pictures.js";
import { element, uniqueId } from "../element.js";
import { Field } from "../field.js";
import { NumberControl } from "../numberControl.js";
import { gallery } from "../pictures.js";
import { readLink } from "../training/link.js";

export interface KernelJob {
  config: TrainConfig;
  picture: ChosenPicture;
}

const words: Partial<Record<PipelineName, string>> = {
  binned: "binned, the fast one",
  tiled: "tiled, short-lists",
  simple: "simple, no tiles",
};

/** Pixels of the picture's longer side: a CPU that plays a GPU takes a hundred times as long as a GPU. */
function longestOn(kind: BrowserEngine["kind"]): number {
  return kind === "gpu" ? 256 : 32;
}

function startOn(kind: BrowserEngine["kind"]): Partial<TrainConfig> {
  if (kind === "gpu") return { blobs: 2048, steps: 20000, learningRate: 0.005 };
  return { blobs: 48, steps: 2000, learningRate: 0.02, tile: [8, 8], gaussiansPerBlock: 16 };
}

/**
 * The job that a page of kernels trains: few blobs, a small picture, and the pipeline whose kernels are shown, unless the
 * page's address says otherwise. Dispatches "input" when another one is chosen; its value is undefined until the picture
 * is there.
 */
export function kernelJob(engine: BrowserEngine): HTMLElement & { value: KernelJob | undefined } {
  const start = { ...startOn(engine.kind), ...readLink(location.search).config } as Partial<TrainConfig>;
  const changed = () => void choose();
  const name = uniqueId("pipeline");
  const radios = [...gpuPipelines]
    .sort((a, b) => Number(b === "binned") - Number(a === "binned") || Number(b === "tiled") - Number(a === "tiled"))
    .map((value) =>
      element("input", {
        type: "radio",
        name,
        value,
        checked: value === (start.pipeline ?? "binned"),
        onchange: changed,
      }),
    );
  const pipelines = element(
    "fieldset",
    { class: "switch" },
    element("legend", {}, "Pipeline"),
    ...radios.map((radio) => element("label", {}, radio, words[radio.value as PipelineName])),
  );
  const pictures = element(
    "select",
    { onchange: changed },
    ...gallery.map(({ name, alt }) => element("option", { value: name }, `${name}: ${alt.toLowerCase()}`)),
  );
  const blobs = new NumberControl("Blobs", [16, 32, 64, 256, 1024, 2048, 4096, 8192], changed);
  const rate = new NumberControl("Learning rate", [0.001, 0.002, 0.005, 0.01, 0.02, 0.05], changed);
  const models = element(
    "select",
    { onchange: changed },
    element("option", { value: "smoothstep over" }, "smoothstep, blended over"),
    element("option", { value: "direct over" }, "direct, blended over"),
    element("option", { value: "direct sum" }, "direct, summed"),
  );
  blobs.value = start.blobs!;
  rate.value = start.learningRate!;
  const blobField = new Field("Blobs", "Few, so that an edit shows at once.", blobs.box, blobs.node);
  const rateField = new Field("Learning rate", "Adam's η, in raw units a step.", rate.box, rate.node);
  const pictureField = new Field("Picture", `${longestOn(engine.kind)} pixels at most.`, pictures);
  const modelField = new Field("Model", "Parameters, and how blobs combine.", models);
  const fields = [pictureField, blobField, rateField, modelField];
  const root = Object.assign(
    element(
      "div",
      { class: "kernel-job" },
      pipelines,
      element("div", { class: "knobs" }, ...fields.map(({ node }) => node)),
    ),
    { value: undefined as KernelJob | undefined },
  );
  // What is typed is no change yet.
  root.addEventListener("input", (event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  });

  let choice = 0;
  const choose = async () => {
    const chosen = ++choice;
    const [parameterization, blend] = models.value.split(" ");
    const pipeline = radios.find(({ checked }) => checked)!.value;
    try {
      const given = { blobs: blobs.value, learningRate: rate.value, pipeline, parameterization, blend };
      const config = completeConfig({ ...start, ...given });
      const { name, file } = gallery.find(({ name }) => name === pictures.value)!;
      const decoded = await decodePicture(await file.blob(), name, longestOn(engine.kind));
      if (chosen !== choice) return;
      engine.backend(config.pipeline).check(config, decoded.image);
      root.value = { config, picture: { ...decoded, name, inGallery: name } };
      for (const field of fields) field.setError(undefined);
      root.dispatchEvent(new Event("input", { bubbles: true }));
    } catch (error) {
      const { field, message } = error as { field?: string; message: string };
      if (field === "learningRate") rateField.setError(message);
      else if (field === "blobs") blobField.setError(message);
      else modelField.setError(message);
    }
  };
  void choose();
  return root;
}
