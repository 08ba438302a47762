// Reads Arrow files away from the page's own thread: carries out what src/host/arrowReader.ts asks.
import { readGradients, readMetrics, readOptimizer, readParameters } from "../engine/arrow.js";
import { type ArrowBatches, joinBatches, openArrow } from "./arrowBatches.js";
import type { ArrowRows, RunTables } from "./arrowReader.js";
import { answering } from "./askedWorker.js";

export type ArrowQuestion =
  | { open: Blob; name: string }
  | { batch: number }
  | { all: Blob; name: string }
  | { kind: keyof RunTables; run: Blob };

export type ArrowAnswer = number | ArrowRows | RunTables[keyof RunTables];

const readers: { [Kind in keyof RunTables]: (bytes: Uint8Array) => RunTables[Kind] } = {
  parameters: readParameters,
  optimizer: readOptimizer,
  metrics: readMetrics,
  gradients: readGradients,
};

let batches: ArrowBatches | undefined;

const hear = answering((message, transfer) => postMessage(message, { transfer }), answer);
addEventListener("message", ({ data }) => hear(data));

async function answer(question: ArrowQuestion): Promise<ArrowAnswer> {
  if ("open" in question) {
    batches = await openArrow(question.open, question.name);
    return batches.count;
  }
  if ("batch" in question) return batches!.read(question.batch);
  if ("all" in question) return joinBatches(await openArrow(question.all, question.name));
  return readers[question.kind](new Uint8Array(await question.run.arrayBuffer()));
}
