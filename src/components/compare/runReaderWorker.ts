// Reads the tables of runs in a worker: those of millions of blobs take seconds.

import type { TrainConfig } from "../../engine/config.js";
import { readGradients, readMetrics, readParameters } from "../../engine/files/arrow.js";
import { readArrowFile, readColumn } from "../../engine/files/arrowFile.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { RunRecord, type RunSource } from "../../engine/files/runRecord.js";
import { readTableInThread } from "../../engine/files/tables.js";
import { parameterCount, parameterGroups, parameterNames } from "../../engine/model/blobs.js";
import { answerRequests } from "../../host/workerClient.js";
import { type Curve, curveOf } from "../runs/curve.js";
import { joinRegions } from "../runs/regionRows.js";
import { gradientSample, parameterSample, type Sample, sampleOf } from "../runs/samples.js";

/** The kind of a run's table. */
export type TableKind = "metrics" | "parameters" | "gradients";

/** A table to read: one that must match the run.json of its run, or a single file. */
export interface TableRequest {
  name: string;
  /** Undefined if it must be detected. */
  kind?: TableKind;
  /** The run.json of its run. */
  description?: Uint8Array;
  file: Blob | Uint8Array;
}

/** The contents of a table: a curve, or a sample of its blobs. */
export interface TableData {
  kind: TableKind;
  config: TrainConfig;
  /** Steps done, if the table records them. */
  step?: number;
  curve?: Curve;
  sample?: Sample;
}

const handleMessage = answerRequests((message, transfer) => postMessage(message, { transfer }), read);
addEventListener("message", ({ data }) => handleMessage(data));

async function read({ name, kind, description, file }: TableRequest): Promise<TableData> {
  const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : file;
  return description && kind ? tableOfRun(name, kind, description, bytes) : standaloneTable(name, bytes);
}

async function tableOfRun(
  name: string,
  kind: TableKind,
  description: Uint8Array,
  bytes: Uint8Array,
): Promise<TableData> {
  const source: RunSource = {
    name,
    read: async (file) => (file === runFiles.description ? description : bytes),
    readTable: readTableInThread,
    decode: () => Promise.reject(new Error("it is not an image.")),
    refusal: (reason) => new Error(`The run ${name} cannot be shown completely: ${reason}`),
  };
  const run = await RunRecord.open(source);
  const { config, image, step, regions } = run.description;
  if (kind === "metrics") {
    const measured = joinRegions(await run.metrics(), regions?.list);
    return { kind, config, step, curve: curveOf({ config, measured }) };
  }
  if (kind === "parameters") {
    const { parameters } = await run.parameters();
    return { kind, config, step, sample: parameterSample(name, config, image, parameters) };
  }
  return { kind, config, step, sample: lastGradients(name, await run.gradients()) };
}

function standaloneTable(name: string, bytes: Uint8Array): TableData {
  const table = readArrowFile(bytes, name);
  const hasColumn = (column: string) => table.getChild(column) !== null;
  if (hasColumn("loss") && hasColumn("psnr")) {
    const { config, rows: recorded } = readMetrics(bytes);
    const rows = joinRegions(recorded);
    return { kind: "metrics", config, step: rows.at(-1)?.step, curve: curveOf({ config, measured: rows }) };
  }
  if (hasColumn("opacity_decoded")) {
    const { config, step } = readParameters(bytes);
    // Converting a width to pixels needs the size of the image.
    const isWidth = (field: number) => (parameterGroups.variance as readonly number[]).includes(field);
    const columns = parameterNames.map((parameter, field) =>
      isWidth(field) ? undefined : readColumn(table, `${parameter}_decoded`, new Float32Array(), name),
    );
    const sample = sampleOf(name, table.numRows, (blob, put) => {
      for (const [field, column] of columns.entries()) put(field, column?.[blob] ?? Number.NaN);
    });
    return { kind: "parameters", config, step, sample };
  }
  if (hasColumn("step") && hasColumn("blob")) {
    const { config, records } = readGradients(bytes);
    const step = records.at(-1)?.step;
    return { kind: "gradients", config, ...(step && { step: step - 1 }), sample: lastGradients(name, records) };
  }
  throw new Error(`${name} is an Arrow file without metrics, parameters or gradients of a run.`);
}

function lastGradients(name: string, records: { gradients: Float32Array }[]): Sample {
  return gradientSample(name, records.at(-1)?.gradients ?? new Float32Array(parameterCount));
}
