import type { TrainConfig } from "../../engine/config.js";
import type { MetricsRow } from "../../engine/files/arrow.js";
import type { RecordedRun } from "../../engine/files/recordedRun.js";
import type { RunDescription } from "../../engine/files/runDescription.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import type { Image } from "../../engine/image/image.js";
import { blobSource } from "../../host/browser/blobSource.js";
import type { RunStore, StoredRun } from "../../host/browser/runStore.js";
import { openRecordedRun } from "../runs/recordedRuns.js";

/** The source of a run. */
export type Origin = "saved" | "folder" | "recorded";

/** A run's values in the table. */
interface RunFacts {
  step: number;
  /** Training time. */
  seconds: number;
  psnr: number;
  adapter: string;
  /** The end of training, in ISO 8601. */
  date: string;
  image: string;
  report?: string;
}

/** The data of a run that figures show. */
export interface RunData {
  metrics: MetricsRow[];
  render: Image;
  target: Image;
}

/** A run to compare. */
export interface ComparedRun {
  /** Unique in the page. */
  readonly id: string;
  readonly origin: Origin;
  name: string;
  readonly config: TrainConfig;
  readonly facts: RunFacts;
  /** Readers of the run's data. They reject with an Error of one sentence. */
  readonly data: { readonly [K in keyof RunData]: () => Promise<RunData[K]> };
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
  const { id, name, description } = stored;
  const open = () => RunRecord.open(blobSource(name, (file) => store.file(id, file)));
  return describedRun(id, "saved", name, description, open);
}

/** Returns a run that the site publishes. */
export function recordedRun(recorded: RecordedRun): ComparedRun {
  const { name, description } = recorded;
  const run = describedRun(`recorded ${name}`, "recorded", name, description, () => openRecordedRun(recorded));
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
  if (description.regions) {
    throw new Error(
      `The run ${name} was trained in regions, which this page does not compare: draw it with npx splatbook render.`,
    );
  }
  return describedRun(id, "folder", name, description, async () => record);
}

function describedRun(
  id: string,
  origin: Origin,
  name: string,
  description: RunDescription,
  open: () => Promise<RunRecord>,
): ComparedRun {
  const record = once(open);
  const { config, image, step, timings, result, adapter } = description;
  const facts: RunFacts = {
    step,
    seconds: timings.seconds,
    // JSON has no infinity.
    psnr: result.psnr ?? Number.POSITIVE_INFINITY,
    adapter,
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
