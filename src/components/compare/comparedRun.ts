import type { TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";
import type { RecordedRun } from "../../engine/files/recordedRun.js";
import type { RunDescription } from "../../engine/files/runDescription.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import type { Image } from "../../engine/image/image.js";
import { readRunTable } from "../../host/browser/arrowReader.js";
import { blobSource } from "../../host/browser/blobSource.js";
import type { RunStore, StoredRun } from "../../host/browser/runStore.js";
import { openRecordedRun } from "../runs/recordedRuns.js";

/** The source of a run. */
export type Origin = "saved" | "file" | "recorded";

/** A run's values in the table; undefined where unknown. */
export interface RunFacts {
  steps?: number;
  /** Training time. */
  seconds?: number;
  loss?: number;
  psnr?: number;
  /** Whether loss and PSNR belong to the last training step rather than the final render. */
  isTraining?: boolean;
  stepsPerSecond?: number;
  adapter?: string;
  bytes?: number;
  /** The end of training, in ISO 8601. */
  date?: string;
  image?: string;
  report?: string;
}

/** The data of a run that figures show. */
export interface RunData {
  metrics: MetricsRow[];
  render: Image;
  target: Image;
}

/** A run to compare, possibly incomplete. */
export interface ComparedRun {
  /** Unique in the page. */
  readonly id: string;
  readonly origin: Origin;
  name: string;
  readonly config: TrainConfig;
  readonly facts: RunFacts;
  /** Readers of the data that the run has. They reject with an Error of one sentence. */
  readonly data: { readonly [K in keyof RunData]?: () => Promise<RunData[K]> };
}

/** Returns a function that reads at its first call, and returns the same each time. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

/** Returns a run of this browser's storage. */
export function savedRun(store: RunStore, stored: StoredRun): ComparedRun {
  const { id, name, bytes, description } = stored;
  const open = () => RunRecord.open(blobSource(name, (file) => store.file(id, file)));
  return describedRun(id, "saved", name, description, bytes, open);
}

/** Returns a run that the site publishes. */
export function recordedRun(recorded: RecordedRun): ComparedRun {
  const { name, description, files } = recorded;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const run = describedRun(`recorded ${name}`, "recorded", name, description, bytes, () => openRecordedRun(recorded));
  run.facts.report = `./reports/${name}.html`;
  return run;
}

/**
 * Returns the run of a folder that was dropped or picked.
 * @throws Error of one sentence if the folder contains no run, or one that was trained in regions
 */
export async function folderRun(id: string, name: string, files: ReadonlyMap<string, Blob>): Promise<ComparedRun> {
  const record = await RunRecord.open(blobSource(name, async (file) => files.get(file)));
  const { description } = record;
  if (description.regions) throw regionsError(name);
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  return describedRun(id, "file", name, description, bytes, async () => record);
}

/**
 * Returns the run of a single metrics.arrow.
 * @throws Error of one sentence if it is none, or of a run that was trained in regions
 */
export async function tableRun(id: string, name: string, file: Blob): Promise<ComparedRun> {
  const { config, rows } = await readRunTable("metrics", file).catch(({ message }: Error) => {
    throw new Error(`${name} cannot be read as a metrics.arrow, and other tables need their run folder: ${message}`);
  });
  if (rows.some(({ region }) => region !== undefined)) throw regionsError(name);
  const last = rows.at(-1);
  const facts: RunFacts = {
    steps: last?.step,
    seconds: last?.seconds,
    loss: last?.loss,
    psnr: last?.psnr,
    isTraining: true,
    stepsPerSecond: last && last.step / last.seconds,
    bytes: file.size,
  };
  return { id, origin: "file", name, config, facts, data: { metrics: async () => rows } };
}

function regionsError(name: string): Error {
  return new Error(
    `The run ${name} was trained in regions, which this page does not compare: draw it with npx splatbook render.`,
  );
}

function describedRun(
  id: string,
  origin: Origin,
  name: string,
  description: RunDescription,
  bytes: number,
  open: () => Promise<RunRecord>,
): ComparedRun {
  const { config, image, step, timings, result, adapter } = description;
  const record = once(open);
  const facts: RunFacts = {
    steps: step,
    seconds: timings.seconds,
    loss: result.loss,
    // JSON has no infinity.
    psnr: result.psnr ?? Number.POSITIVE_INFINITY,
    stepsPerSecond: timings.stepsPerSecond,
    adapter,
    bytes,
    date: timings.finishedAt,
    image: `${image.name}, ${image.width} × ${image.height}`,
  };
  const data: ComparedRun["data"] = {
    metrics: once(async () => (await record()).metrics()),
    render: once(async () => (await record()).image(runFiles.render)),
    target: once(async () => (await record()).target()),
  };
  return { id, origin, name, config, facts, data };
}
