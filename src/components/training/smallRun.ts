import { ConfigError, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodeImage } from "../../host/browser/images.js";
import { gallery } from "../images/gallery.js";
import { acceptFields, checkValues } from "./acceptFields.js";
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
function smallJob(kind: BrowserEngine["kind"]): StartingJob {
  const { config } = startingJob("cpu");
  if (kind === "gpu") return { config: { ...config, blobs: 1000, steps: 4000, pipeline: "binned" }, longest: 192 };
  return { config: { ...config, blobs: 200 }, longest: 64 };
}

/**
 * Trains a small job, for figures that inspect a run. The page's address can change the job, as in the lab
 * (`?blobs=400&steps=2000&size=96&picture=coffee`). The run's notice has the errors in the address.
 * @param invalidation Framework's promise that resolves when the cell runs again
 * @throws ConfigError if `job` is not valid
 */
export async function smallRun(
  engine: BrowserEngine,
  invalidation: Promise<unknown>,
  job: SmallJob = {},
): Promise<Run> {
  const { config: linkConfig, picture: name, size } = readLink(location.search);
  const small = smallJob(engine.kind);
  const defaults = {
    config: { ...small.config, ...job.config },
    image: job.image ?? "astronaut",
    longest: job.longest ?? small.longest,
  };
  const start = async ({ config, image, longest }: Required<SmallJob>) => {
    const galleryImage = gallery.find((each) => each.name === image);
    if (!galleryImage) throw new ConfigError("picture", image, `one of ${gallery.map(({ name }) => name).join(", ")}`);
    const { name, file } = galleryImage;
    const decoded = await decodeImage(await file.blob(), name, longest);
    return train({ ...config, engine, image: { ...decoded, name, inGallery: name } }, invalidation);
  };
  const { config, errors: wrong } = acceptFields({ ...defaults.config, ...linkConfig }, defaults.config, (values) =>
    checkValues(engine, values),
  );
  const errors = [...wrong.values()];
  const longest = size === undefined ? defaults.longest : Number(size);
  const run = await start({ config, image: name ?? defaults.image, longest }).catch((error: Error) => {
    errors.push(error.message);
    return start(defaults);
  });
  run.notice = errors.join(" ");
  return run;
}
