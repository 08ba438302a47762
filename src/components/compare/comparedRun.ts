import type { TrainConfig } from "../../engine/config.js";
import type { RecordedRun } from "../../engine/files/recordedRun.js";
import type { RunDescription } from "../../engine/files/runDescription.js";
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import { RunRecord, type RunSource } from "../../engine/files/runRecord.js";
import type { Image } from "../../engine/image/image.js";
import { blobSource } from "../../host/browser/blobSource.js";
import type { RunStore, StoredRun } from "../../host/browser/runStore.js";
import type { Curve } from "../runs/curve.js";
import { openRecordedRun } from "../runs/recordedRuns.js";
import type { Sample } from "../runs/samples.js";
import { readTable } from "./runReader.js";
import type { TableData, TableKind } from "./runReaderWorker.js";

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
  curve: Curve;
  parameters: Sample;
  gradients: Sample;
  render: Image;
  target: Image;
  film: FilmFrame[];
}

/** A small render after a number of steps. */
export interface FilmFrame {
  step: number;
  image: Image;
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
  readonly tables: { readonly [K in TableKind]?: () => Promise<Blob> };
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
  const readFile = (file: string) => store.file(id, file);
  return describedRun(id, "saved", name, description, bytes, async () => RunRecord.open(blobSource(name, readFile)));
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
 * @throws Error of one sentence if the folder contains no run
 */
export async function folderRun(id: string, name: string, files: ReadonlyMap<string, Blob>): Promise<ComparedRun> {
  const source: RunSource = blobSource(name, async (file) => files.get(file));
  const record = await RunRecord.open(source);
  record.requireComplete();
  const { description } = record;
  const knownFiles = [...Object.values(runFiles), ...record.film.map(frameFile)];
  const bytes = knownFiles.reduce((sum, file) => sum + (files.get(file)?.size ?? 0), 0);
  return describedRun(id, "file", name, description, bytes, async () => record);
}

/**
 * Returns the run of a single Arrow file: metrics, parameters or gradients.
 * @throws Error of one sentence if it is none of these
 */
export async function tableRun(id: string, name: string, file: Blob): Promise<ComparedRun> {
  const { config, step, curve, sample, kind } = await readTable({ name, file });
  const last = curve?.points.at(-1);
  const facts: RunFacts = {
    steps: last?.step ?? step,
    seconds: last?.seconds,
    loss: last?.loss,
    psnr: last?.psnr,
    isTraining: true,
    stepsPerSecond: last && last.step / last.seconds,
    bytes: file.size,
  };
  const data = {
    ...(curve && { curve: async () => curve }),
    ...(kind !== "metrics" && sample && { [kind]: async () => sample }),
  };
  return { id, origin: "file", name, config, facts, data, tables: { [kind]: async () => file } };
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
  const table = async (kind: TableKind): Promise<TableData> => {
    const run = await record();
    const [text, file] = await Promise.all([run.file(runFiles.description), run.file(runFiles[kind])]);
    return readTable({ name, kind, description: text, file });
  };
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
  const file = (kind: TableKind) => async () => new Blob([(await (await record()).file(runFiles[kind])) as BlobPart]);
  // A run in regions has no gradients, and a reduced target.
  const { regions } = description;
  const gradients = !regions && { gradients: file("gradients") };
  const tables = { metrics: file("metrics"), parameters: file("parameters"), ...gradients };
  const data: ComparedRun["data"] = {
    curve: once(async () => (await table("metrics")).curve!),
    parameters: once(async () => (await table("parameters")).sample!),
    ...(!regions && { gradients: once(async () => (await table("gradients")).sample!) }),
    render: once(async () => (await record()).image(runFiles.render)),
    target: once(async () => (regions ? (await record()).image(runFiles.target) : (await record()).target())),
    film: once(async () => {
      const run = await record();
      return Promise.all(run.film.map(async (step) => ({ step, image: await run.frame(step) })));
    }),
  };
  return { id, origin, name, config, facts, data, tables };
}
