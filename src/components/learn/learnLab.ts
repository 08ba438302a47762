import { ConfigError, completeConfig, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser.js";
import { decodePicture } from "../../host/pictures.js";
import { element } from "../element.js";
import { Lab } from "../lab/lab.js";
import { gallery } from "../pictures.js";
import { readLink } from "../training/link.js";
import { runBar } from "../training/runBar.js";
import { type StartingJob, startingJob } from "../training/startingJob.js";

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
function smallJob(kind: BrowserEngine["kind"]): StartingJob {
  const { config } = startingJob("cpu");
  if (kind === "gpu") return { config: { ...config, blobs: 1000, steps: 4000, pipeline: "binned" }, longest: 192 };
  return { config: { ...config, blobs: 200 }, longest: 64 };
}

/** Of labs whose page's address asks for what cannot be: why, as a sentence. */
const refusals = new WeakMap<Lab, string>();

/**
 * A lab that trains a small job at once, for figures that look into a run: another one where the page's address says so,
 * as the lab's own does (`?blobs=400&steps=2000&size=96&picture=coffee`). Stop it when its cell ends.
 * @throws ConfigError if `job` itself cannot be
 */
export async function learnLab(engine: BrowserEngine, job: LearnJob = {}): Promise<Lab> {
  const { config: asked, picture, size } = readLink(location.search);
  const lab = new Lab(engine);
  const start = async ({ config, picture, longest }: Required<LearnJob>) => {
    const found = gallery.find((each) => each.name === picture);
    if (!found) throw new ConfigError("picture", picture, `one of ${gallery.map(({ name }) => name).join(", ")}`);
    const { name, file } = found;
    const decoded = await decodePicture(await file.blob(), name, longest);
    lab.start(completeConfig(config), { ...decoded, name, inGallery: name });
  };
  const small = smallJob(engine.kind);
  const own = {
    config: { ...small.config, ...job.config },
    picture: job.picture ?? "astronaut",
    longest: job.longest ?? small.longest,
  };
  try {
    await start({
      config: { ...own.config, ...asked },
      picture: picture ?? own.picture,
      longest: size === undefined ? own.longest : Number(size),
    });
  } catch (error) {
    await start(own);
    refusals.set(lab, (error as Error).message);
  }
  return lab;
}

/** The buttons and figures of its run, and what the page's address has wrong. */
export function learnRunBar(lab: Lab): HTMLElement {
  const refusal = refusals.get(lab);
  const bar = runBar(lab.run!);
  if (refusal) bar.append(element("p", { class: "wrong-input" }, refusal));
  bar.classList.add("learn-run-bar");
  return bar;
}
