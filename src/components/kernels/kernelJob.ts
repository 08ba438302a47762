import { html } from "htl";
import { completeConfig, type PipelineName, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodeImage } from "../../host/browser/images.js";
import { type GalleryImage, gallery } from "../images/gallery.js";
import * as Inputs from "../inputs/inputs.js";
import { setText } from "../page/element.js";
import { helpTopicOf, showError } from "../page/help.js";
import { readLink } from "../training/link.js";
import { Settings } from "../training/settings.js";
import { type LiveJob, pipelines } from "./liveKernels.js";
import { isModelOf, type Model, models, modelText } from "./models.js";

const pipelineLabels: Partial<Record<PipelineName, string>> = {
  binned: "binned (fastest)",
  tiled: "tiled (original algorithm)",
  simple: "simple (no tile lists)",
};

function startingFields(kind: BrowserEngine["kind"]): Partial<TrainConfig> {
  if (kind === "gpu") return { pipeline: "tiled", blobs: 2048, steps: 20000, learningRate: 0.005 };
  return { pipeline: "tiled", blobs: 48, steps: 2000, learningRate: 0.02, tile: [8, 8], gaussiansPerBlock: 32 };
}

/** An input for the job of the kernel page. */
type KernelJob = HTMLElement & {
  value: LiveJob | undefined;
  switchPipeline(pipeline: PipelineName): void;
};

/**
 * Returns an input for the job of the kernel page: few blobs, a small image and a pipeline, unless the address sets
 * others. Its value is undefined until the image is decoded.
 */
export function kernelJob(engine: BrowserEngine): KernelJob {
  // A software adapter is a hundred times as slow as a GPU.
  const maxSide = engine.kind === "gpu" ? 256 : 32;
  const settings = new Settings(engine, startingFields(engine.kind), readLink(location.search).config);
  const pipeline = settings.knob("pipeline", (value) =>
    Inputs.radio(pipelines, { label: "Pipeline", value, format: (name: PipelineName) => pipelineLabels[name] ?? name }),
  );
  const blobs = settings.knob("blobs");
  const rate = settings.knob("learningRate");
  const format = ({ name, alt }: GalleryImage) => `${name}: ${alt.toLowerCase()}`;
  const imageSelect = Inputs.select<GalleryImage>(gallery, { label: `Image, at most ${maxSide} pixels`, format });
  const model = Inputs.select<Model>(models, {
    label: "Model",
    value: models.find((one) => isModelOf(settings.config, one)),
    format: modelText,
  });
  const errorText = html`<p class="knob-error" role="status"></p>`;
  const fields = [imageSelect, model].map((input) => html`<div class="knob">${input}</div>`);
  const root = Object.assign(
    html`<div class="kernel-job">${pipeline}<div class="knobs">${[blobs, rate, ...fields, errorText]}</div></div>`,
    {
      value: undefined as LiveJob | undefined,
      switchPipeline: (pipeline: PipelineName) => settings.load({ ...settings.config, pipeline }),
    },
  );
  let choice = 0;
  const choose = async () => {
    const chosen = ++choice;
    const { name, file } = imageSelect.value;
    try {
      const decoded = await decodeImage(await file.blob(), name, maxSide);
      if (chosen !== choice) return;
      const { config } = settings;
      engine.backend(config.pipeline).check(config, decoded.image);
      root.value = { config, image: { ...decoded, name, inGallery: name } };
      setText(errorText, "");
      root.dispatchEvent(new Event("input", { bubbles: true }));
    } catch (error) {
      showError(errorText, (error as Error).message, helpTopicOf(error as Error));
    }
  };
  model.oninput = () => {
    // Keep the size of the job; the other defaults depend on the model.
    const { blobs, steps, tile, gaussiansPerBlock, pipeline, seed, learningRate } = settings.config;
    const sizeFields = { blobs, steps, tile, gaussiansPerBlock, pipeline, seed, learningRate };
    settings.load(completeConfig({ ...sizeFields, ...model.value }));
  };
  // Inputs of single fields are no job yet.
  root.oninput = (event) => {
    if (event.target === root) return;
    event.stopImmediatePropagation();
    void choose();
  };
  void choose();
  return root;
}
