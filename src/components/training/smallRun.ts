import { ConfigError, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodeImage } from "../../host/browser/images.js";
import { type ReaderImage, storedReaderImage } from "../../host/browser/readerImage.js";
import { gallery } from "../images/gallery.js";
import { chapterQuery } from "../page/chapterQuery.js";
import { acceptFields, checkValues } from "./acceptFields.js";
import { storedStep } from "./frozenStep.js";
import { readLink } from "./link.js";
import { type Run, train } from "./run.js";
import { type StartingJob, startingJob } from "./startingJob.js";

/** The job of a chapter's run. */
export interface SmallJob {
  /** Fields that replace the defaults of a small job. */
  config?: Partial<TrainConfig>;
  /** Name of a gallery image. */
  image?: string;
  /** Pixels of the image's longer side. */
  longest?: number;
}

/** Returns a job that trains within seconds on any engine. */
export function smallJob(kind: BrowserEngine["kind"]): StartingJob {
  const { config } = startingJob("cpu");
  if (kind === "gpu") return { config: { ...config, blobs: 1000, steps: 4000, pipeline: "binned" }, longest: 192 };
  return { config: { ...config, blobs: 200 }, longest: 64 };
}

/** Where an image comes from. */
interface ImageSource extends ReaderImage {
  inGallery?: string;
}

/** @throws ConfigError if the gallery has no image of that name */
async function galleryImage(name: string): Promise<ImageSource> {
  const image = gallery.find((each) => each.name === name);
  if (!image) throw new ConfigError("picture", name, `one of ${gallery.map(({ name }) => name).join(", ")}`);
  return { name, file: await image.file.blob(), inGallery: name };
}

/** The image of a chapter's run, unless the reader or the page chooses another one. */
export const defaultImage = "astronaut";

/**
 * Trains a small job, for figures that inspect a run. The image and the settings are those that the reader chose for all
 * chapters, or those of the page's address, as in the lab (`?blobs=400&steps=2000&size=96&picture=coffee`). The run's
 * notice has the errors in them.
 * @param invalidation Framework's promise that resolves when the cell runs again
 * @throws ConfigError if `job` is not valid
 */
export async function smallRun(
  engine: BrowserEngine,
  invalidation: Promise<unknown>,
  job: SmallJob = {},
): Promise<Run> {
  const { config: chosenConfig, picture, size } = readLink(String(chapterQuery()));
  const small = smallJob(engine.kind);
  const defaults = { ...small.config, ...job.config };
  const { config, errors: wrong } = acceptFields({ ...defaults, ...chosenConfig }, defaults, (values) =>
    checkValues(engine, values),
  );
  const errors = [...wrong.values()];
  const start = async (config: Partial<TrainConfig>, source: ImageSource, longest: number) => {
    const { name, file, inGallery } = source;
    const image = { ...(await decodeImage(file, name, longest)), name, ...(inGallery && { inGallery }) };
    return train({ ...config, engine, image, inspectAt: storedStep }, invalidation);
  };
  const longest = job.longest ?? small.longest;
  const own = picture === undefined && job.image === undefined ? await storedReaderImage() : undefined;
  const pageImage = job.image ?? defaultImage;
  let run: Run;
  try {
    const source = own ?? (await galleryImage(picture ?? pageImage));
    run = await start(config, source, size === undefined ? longest : Number(size));
  } catch (error) {
    errors.push((error as Error).message);
    run = await start(defaults, await galleryImage(pageImage), longest);
  }
  run.notice = errors.join(" ");
  return run;
}
