// Reads Arrow files in a worker, for arrowReader.ts.
import { readTableInThread, type Tables } from "../../engine/files/tables.js";
import { type ArrowBatches, type ArrowRows, joinBatches, openArrow } from "../arrowBatches.js";
import { serveRequests } from "./browserWorker.js";

export type ArrowQuestion =
  | { open: Blob; name: string }
  | { batch: number }
  | { all: Blob; name: string }
  | { kind: keyof Tables; run: Blob };

export type ArrowAnswer = number | ArrowRows | Tables[keyof Tables];

let batches: ArrowBatches | undefined;

serveRequests(answer);

async function answer(question: ArrowQuestion): Promise<ArrowAnswer> {
  if ("open" in question) {
    batches = await openArrow(question.open, question.name);
    return batches.count;
  }
  if ("batch" in question) return batches!.read(question.batch);
  if ("all" in question) return joinBatches(await openArrow(question.all, question.name));
  return readTableInThread(question.kind, new Uint8Array(await question.run.arrayBuffer()));
}
