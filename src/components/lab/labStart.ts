import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { fields } from "../../engine/fields.js";
import type { Image } from "../../engine/image/image.js";
import { uniformGenerator } from "../../engine/random.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { Link } from "../training/link.js";
import { presetStart, type StartingJob, startingJob } from "../training/startingJob.js";
import { trainingSpeed } from "./trainingSpeed.js";

/** The initial job of the lab. Links hold the differences from `config` and `longest`. */
export interface LabStart extends StartingJob {
  /** Settings and image size that suit the speed of this machine. Absent if the link gives some. */
  chosen?: StartingJob;
  /** Training speed of the software adapter and of the CPU engine, in evaluations per second, if they were compared. */
  compared?: { adapter: number; cpu: number };
}

/** A job with the preset `quality`. */
interface JobSize {
  longest: number;
  blobs: number;
  /** Evaluations, as `trainingSpeed` counts them, until the astronaut reaches 28 dB. */
  evaluations: number;
}

/** The jobs that the lab chooses from, in ascending size. Measured with 1,000 steps and two workers. */
const jobSizes: JobSize[] = [
  { longest: 96, blobs: 900, evaluations: 35e6 },
  { longest: 192, blobs: 2500, evaluations: 75e6 },
  { longest: 256, blobs: 4000, evaluations: 114e6 },
  { longest: 384, blobs: 6000, evaluations: 192e6 },
  { longest: 512, blobs: 8192, evaluations: 325e6 },
];

/** Returns the number of blobs that suits an image, by the pixels of its longer side. */
export function blobsFor(longest: number): number {
  return (jobSizes.findLast((size) => size.longest <= longest) ?? jobSizes[0]).blobs;
}

/** Seconds of training until 28 dB: ten seconds less the start of the page. */
const trainingSeconds = 7;

/** The job that measures the speed: its steps take milliseconds, and are large enough for several workers. */
const measuredSize = jobSizes[1];

/** Milliseconds of a measurement. A software adapter has twice as long, with its start. */
const measureMilliseconds = 250;

/** Returns the largest job that reaches about 28 dB within ten seconds at a speed in evaluations per second. */
export function jobForSpeed(speed: number): StartingJob {
  const { longest, blobs } =
    jobSizes.findLast(({ evaluations }) => evaluations <= trainingSeconds * speed) ?? jobSizes[0];
  return { config: { preset: "quality", blobs }, longest };
}

/**
 * Returns the initial job of the lab: on a GPU the largest of the best preset. Without one it measures the training speed for half a second, to choose the faster
 * of the software adapter and the CPU engine, and the size of the job. The link decides instead if it gives `engine` or
 * `pipeline`, or settings, an image size or a run to resume.
 */
export async function labStart(engine: BrowserEngine, link: Link): Promise<LabStart> {
  const start = startingJob(engine.kind);
  const choosesJob = Object.keys(link.config).length === 0 && link.size === undefined && link.resume === undefined;
  if (engine.kind === "gpu") return choosesJob ? { ...start, chosen: jobForSpeed(Number.POSITIVE_INFINITY) } : start;
  const comparesEngines = engine.kind === "software" && link.engine === undefined && !("pipeline" in link.config);
  if (engine.kind === "software" && link.engine === "gpu") start.config.pipeline = fields.pipeline.default;
  const speedOf = (pipeline: TrainConfig["pipeline"]) => {
    const { longest, blobs } = measuredSize;
    const config = completeConfig({ ...presetStart(start.config, "quality"), blobs, pipeline });
    return trainingSpeed(engine.backend(pipeline), config, noiseImage(longest), measureMilliseconds);
  };
  if (!comparesEngines) {
    return choosesJob ? { ...start, chosen: jobForSpeed(await speedOf(start.config.pipeline!)) } : start;
  }
  const cpu = await speedOf("cpu");
  const adapter = await withinTime(2 * measureMilliseconds, speedOf(fields.pipeline.default));
  // Its unfinished work would take cores from the training.
  if (adapter === 0) engine.restart();
  if (adapter > cpu) start.config.pipeline = fields.pipeline.default;
  const chosen = choosesJob ? jobForSpeed(Math.max(adapter, cpu)) : undefined;
  return { ...start, compared: { adapter, cpu }, ...(chosen && { chosen }) };
}

/** Resolves to a speed, or to 0 if it fails or is not known in time. */
function withinTime(milliseconds: number, speed: Promise<number>): Promise<number> {
  const timeout = new Promise<number>((resolve) => setTimeout(resolve, milliseconds, 0));
  return Promise.race([speed.catch(() => 0), timeout]);
}

/** Returns a square image of random bytes. */
function noiseImage(side: number): Image {
  const random = uniformGenerator(1);
  const data = Uint8ClampedArray.from({ length: 4 * side * side }, () => 255 * random());
  return { width: side, height: side, data };
}

/**
 * Returns which engine trains and why, and which job the page chose for it, in sentences.
 * @param pipeline the pipeline of the run, by default that of the initial job
 */
export function describeEngine(
  { kind, description, fallbackReason: because }: BrowserEngine,
  start: LabStart = startingJob(kind),
  pipeline: TrainConfig["pipeline"] | undefined = start.config.pipeline,
): string {
  if (kind === "gpu") return `The blobs train on your GPU: ${description}.`;
  const { chosen, compared } = start;
  const job = chosen
    ? ` To suit this machine's speed, the page chose ${chosen.config.blobs!.toLocaleString("en-US")} blobs and an image of ${chosen.longest} pixels.`
    : "";
  if (kind === "cpu") return `${because} The blobs train on the CPU.${job}`;
  const isOnCpu = pipeline === "cpu";
  const isFaster = compared !== undefined && isOnCpu === compared.cpu >= compared.adapter;
  const engineText = isOnCpu ? "the CPU engine" : "it";
  const reason = isFaster ? `, which is faster${isOnCpu ? "" : " than the CPU engine"}` : "";
  return `The only adapter here is a software adapter (${description}). The blobs train on ${engineText}${reason}.${job}`;
}
