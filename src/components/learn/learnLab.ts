import { completeConfig, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser.js";
import { decodePicture } from "../../host/pictures.js";
import { Lab } from "../lab/lab.js";
import { runBar } from "../lab/runBar.js";
import { gallery } from "../pictures.js";

/** What a small lab of a learn page trains. */
export interface LearnJob {
  /** In place of what it begins with. */
  config?: Partial<TrainConfig>;
  /** Name of a gallery picture. */
  picture?: string;
  /** Pixels of the picture's longer side. */
  longest?: number;
}

/** A job that every engine trains in seconds. */
function smallJob(kind: BrowserEngine["kind"]): { config: Partial<TrainConfig>; longest: number } {
  const config: Partial<TrainConfig> = { learningRate: 0.01, tile: [8, 8], gaussiansPerBlock: 64 };
  if (kind === "gpu") return { config: { ...config, blobs: 1000, steps: 4000, pipeline: "binned" }, longest: 192 };
  return { config: { ...config, blobs: 200, steps: 1000, pipeline: "cpu" }, longest: 64 };
}

/**
 * A lab that trains a small job at once, for figures that look into a run. Stop it when its cell ends.
 * @throws ConfigError if the config cannot be
 */
export async function learnLab(engine: BrowserEngine, job: LearnJob = {}): Promise<Lab> {
  const small = smallJob(engine.kind);
  const config = completeConfig({ ...small.config, ...job.config });
  const { name, file } = gallery.find((picture) => picture.name === (job.picture ?? "astronaut"))!;
  const decoded = await decodePicture(await file.blob(), name, job.longest ?? small.longest);
  const lab = new Lab(engine);
  lab.start(config, { ...decoded, name, inGallery: name });
  return lab;
}

/** The buttons and figures of its run. */
export function learnRunBar(lab: Lab): HTMLElement {
  const bar = runBar(lab);
  bar.classList.add("learn-run-bar");
  return bar;
}
