import { ConfigError, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { decodePicture } from "../../host/browser/pictures.js";
import { gallery } from "../pictures/pictures.js";
import { acceptFields, checkValues } from "./acceptFields.js";
import { readLink } from "./link.js";
import { type Run, train } from "./run.js";
import { type StartingJob, startingJob } from "./startingJob.js";

/** What a chapter's run trains. */
export interface SmallJob {
  /** In place of what it begins with. */
  config?: Partial<TrainConfig>;
  /** Name of a gallery picture. */
  picture?: string;
  /** Pixels of the picture's longer side. */
  longest?: number;
}

/** A job that every engine trains in seconds. */
function startOf(kind: BrowserEngine["kind"]): StartingJob {
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
  const { config: asked, picture: name, size } = readLink(location.search);
  const small = startOf(engine.kind);
  const own = {
    config: { ...small.config, ...job.config },
    picture: job.picture ?? "astronaut",
    longest: job.longest ?? small.longest,
  };
  const start = async ({ config, picture, longest }: Required<SmallJob>) => {
    const found = gallery.find((each) => each.name === picture);
    if (!found) throw new ConfigError("picture", picture, `one of ${gallery.map(({ name }) => name).join(", ")}`);
    const { name, file } = found;
    const decoded = await decodePicture(await file.blob(), name, longest);
    return train({ ...config, engine, picture: { ...decoded, name, inGallery: name } }, invalidation);
  };
  const { config, wrong } = acceptFields({ ...own.config, ...asked }, own.config, (values) =>
    checkValues(engine, values),
  );
  const told = [...wrong.values()];
  const longest = size === undefined ? own.longest : Number(size);
  const run = await start({ config, picture: name ?? own.picture, longest }).catch((error: Error) => {
    told.push(error.message);
    return start(own);
  });
  run.notice = told.join(" ");
  return run;
}
