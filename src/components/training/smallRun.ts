import { ConfigError, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodeImage } from "../../host/browser/pictures.js";
import { gallery } from "../images/gallery.js";
import { acceptFields, checkValues } from "./acceptFields.js";
import { readLink } from "./link.js";
import { type Run, train } from "./run.js";
import { type StartingJob, startingJob } from "./startingJob.js";

/** What a chapter's run trains. */
export interface SmallJob {
  /** In place of what it begins with. */
  config?: Partial<TrainConfig>;
  /** Name of a gallery picture. */
  image?: string;
  /** Pixels of the picture's longer side. */
  longest?: number;
}

/** A job that every engine trains in seconds. */
function smallJob(kind: BrowserEngine["kind"]): StartingJob {
  const { config } = startingJob("cpu");
  if (kind === "gpu") return { config: { ...config, blobs: 1000, steps: 4000, pipeline: "binned" }, longest: 192 };
  return { config: { ...config, blobs: 200 }, longest: 64 };
}

/**
 * Trains a small job, for figures that look into a run: another one where the page's address says so, as the lab's own
 * does (`?blobs=400&steps=2000&size=96&picture=coffee`). What is wrong in the address, the run tells as its notice.
 * @param invalidation Framework's promise that the cell has run its time
 * @throws ConfigError if `job` itself cannot be
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
