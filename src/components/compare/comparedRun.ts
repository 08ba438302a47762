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

/** Where a run on the page comes from. */
export type Origin = "kept" | "file" | "recorded";

/** What the table tells of a run; what is not known is absent. */
export interface RunFacts {
  steps?: number;
  /** Of training. */
  seconds?: number;
  loss?: number;
  psnr?: number;
  /** Whether loss and PSNR are those of the last training step, and not of the final render. */
  isTraining?: boolean;
  stepsPerSecond?: number;
  adapter?: string;
  bytes?: number;
  /** When it ended, as ISO 8601. */
  date?: string;
  image?: string;
  report?: string;
}

/** What can be shown of a run besides its facts. */
export interface RunData {
  curve: Curve;
  parameters: Sample;
  gradients: Sample;
  render: Image;
  target: Image;
  film: FilmFrame[];
}

/** The blobs' picture after so many steps, small. */
export interface FilmFrame {
  step: number;
  image: Image;
}

type Loaders = { [P in keyof RunData]?: () => Promise<RunData[P]> };

type Tables = { [Kind in TableKind]?: () => Promise<Blob> };

/** A run to compare, or what there is of one. Its parts are read when they are first asked for. */
export class ComparedRun {
  readonly #read = new Map<string, Promise<unknown>>();

  constructor(
    /** No other run on the page has it. */
    readonly id: string,
    readonly origin: Origin,
    /** What it is called, which may change. */
    public name: string,
    readonly config: TrainConfig,
    readonly facts: RunFacts,
    readonly loaders: Loaders,
    readonly tables: Tables,
  ) {}

  /**
   * A part of the run; undefined where it has none.
   * @throws Error of one sentence if it cannot be read
   */
  part<P extends keyof RunData>(part: P): Promise<RunData[P] | undefined> {
    const load = this.loaders[part] as (() => Promise<RunData[P]>) | undefined;
    if (!load) return Promise.resolve(undefined);
    if (!this.#read.has(part)) this.#read.set(part, load());
    return this.#read.get(part) as Promise<RunData[P]>;
  }
}

/** A run of this browser's storage. */
export function savedRun(store: RunStore, stored: StoredRun): ComparedRun {
  const { id, name, bytes, description } = stored;
  const readFile = (file: string) => store.file(id, file);
  return describedRun(id, "kept", name, description, bytes, async () => RunRecord.open(blobSource(name, readFile)));
}

/** A run that the site publishes. */
export function recordedRun({ name, description, files }: RecordedRun): ComparedRun {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const run = describedRun(`recorded ${name}`, "recorded", name, description, bytes, () => openRecordedRun(name));
  run.facts.report = `./reports/${name}`;
  return run;
}

/**
 * A run's folder that was dropped or picked.
 * @throws Error of one sentence if it holds no run
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
 * An Arrow file by itself: metrics, parameters or gradients.
 * @throws Error of one sentence if it is none of these
 */
export async function tableRun(id: string, name: string, file: Blob): Promise<ComparedRun> {
  const { config, step, curve, sample, kind } = await readTable({ name, file });
  const last = curve?.points.at(-1);
  const facts: RunFacts = {
    steps: last?.step ?? step,
    ...(last && {
      seconds: last.seconds,
      loss: last.loss,
      psnr: last.psnr,
      isTraining: true,
      stepsPerSecond: last.step / last.seconds,
    }),
    bytes: file.size,
  };
  const loaders = {
    ...(curve && { curve: async () => curve }),
    ...(kind !== "metrics" && sample && { [kind]: async () => sample }),
  };
  return new ComparedRun(id, "file", name, config, facts, loaders, { [kind]: async () => file });
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
  let record: Promise<RunRecord> | undefined;
  const openRecord = () => {
    record ??= open();
    return record;
  };
  const table = async (kind: TableKind): Promise<TableData> => {
    const run = await openRecord();
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
  const file = (kind: TableKind) => async () =>
    new Blob([(await (await openRecord()).file(runFiles[kind])) as BlobPart]);
  // What was fitted by regions keeps no gradients, and its target in small.
  const { regions } = description;
  const gradients = !regions && { gradients: file("gradients") };
  const tables = { metrics: file("metrics"), parameters: file("parameters"), ...gradients };
  const loaders: Loaders = {
    curve: async () => (await table("metrics")).curve!,
    parameters: async () => (await table("parameters")).sample!,
    ...(!regions && { gradients: async () => (await table("gradients")).sample! }),
    render: async () => (await openRecord()).image(runFiles.render),
    target: async () => (regions ? (await openRecord()).image(runFiles.target) : (await openRecord()).target()),
    film: async () => {
      const run = await openRecord();
      return Promise.all(run.film.map(async (step) => ({ step, image: await run.frame(step) })));
    },
  };
  return new ComparedRun(id, origin, name, config, facts, loaders, tables);
}
