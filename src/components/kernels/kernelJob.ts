import { completeConfig, type PipelineName, type TrainConfig } from "../../engine/config.js";
import { gpuPipelines } from "../../engine/gpu/pipelines.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodePicture } from "../../host/browser/pictures.js";
import * as Inputs from "../inputs/inputs.js";
import { element, setText } from "../page/element.js";
import { tellTrouble, topicOf } from "../page/help.js";
import { type GalleryPicture, gallery } from "../pictures/pictures.js";
import { readLink } from "../training/link.js";
import { Settings } from "../training/settings.js";
import type { LiveJob } from "./liveKernels.js";
import { isModelOf, type Model, models, modelText } from "./models.js";

/** The one that is read most first. */
const pipelines: PipelineName[] = ["binned", "tiled", ...gpuPipelines.filter((name) => !/^(binned|tiled)$/.test(name))];
const words: Partial<Record<PipelineName, string>> = {
  binned: "binned (fastest)",
  tiled: "tiled (original algorithm)",
  simple: "simple (no tile lists)",
};

function startOn(kind: BrowserEngine["kind"]): Partial<TrainConfig> {
  if (kind === "gpu") return { pipeline: "binned", blobs: 2048, steps: 20000, learningRate: 0.005 };
  return { pipeline: "binned", blobs: 48, steps: 2000, learningRate: 0.02, tile: [8, 8], gaussiansPerBlock: 32 };
}

/**
 * The job that a page of kernels trains: few blobs, a small picture, and the pipeline whose kernels are shown, unless the
 * page's address says otherwise. Dispatches "input" when another one is chosen; its value is undefined until the picture
 * is there.
 */
export function kernelJob(engine: BrowserEngine): HTMLElement & { value: LiveJob | undefined } {
  // A CPU that plays a GPU takes a hundred times as long as a GPU.
  const longest = engine.kind === "gpu" ? 256 : 32;
  const settings = new Settings(engine, startOn(engine.kind), readLink(location.search).config);
  const pipeline = settings.knob("pipeline", (value) =>
    Inputs.radio(pipelines, { label: "Pipeline", value, format: (name: PipelineName) => words[name] ?? name }),
  );
  const blobs = settings.knob("blobs");
  const rate = settings.knob("learningRate");
  const format = ({ name, alt }: GalleryPicture) => `${name}: ${alt.toLowerCase()}`;
  const picture = Inputs.select<GalleryPicture>(gallery, { label: `Image, at most ${longest} pixels`, format });
  const model = Inputs.select<Model>(models, {
    label: "Model",
    value: models.find((one) => isModelOf(settings.config, one)),
    format: modelText,
  });
  const trouble = element("p", { class: "knob-error", role: "status" });
  const fields = [picture, model].map((input) => element("div", { class: "knob" }, input));
  const knobs = element("div", { class: "knobs" }, blobs, rate, ...fields, trouble);
  const root = Object.assign(element("div", { class: "kernel-job" }, pipeline, knobs), {
    value: undefined as LiveJob | undefined,
  });
  let choice = 0;
  const choose = async () => {
    const chosen = ++choice;
    const { name, file } = picture.value;
    try {
      const decoded = await decodePicture(await file.blob(), name, longest);
      if (chosen !== choice) return;
      const { config } = settings;
      engine.backend(config.pipeline).check(config, decoded.image);
      root.value = { config, picture: { ...decoded, name, inGallery: name } };
      setText(trouble, "");
      root.dispatchEvent(new Event("input", { bubbles: true }));
    } catch (error) {
      tellTrouble(trouble, (error as Error).message, topicOf(error as Error));
    }
  };
  model.addEventListener("input", () => {
    // What follows from another model is its own.
    const { blobs, steps, tile, gaussiansPerBlock, pipeline, seed, learningRate } = settings.config;
    const kept = { blobs, steps, tile, gaussiansPerBlock, pipeline, seed, learningRate };
    settings.load({ ...completeConfig({ ...kept, ...model.value }) });
  });
  // What is typed is no job yet.
  root.addEventListener("input", (event) => {
    if (event.target === root) return;
    event.stopImmediatePropagation();
    void choose();
  });
  void choose();
  return root;
}
