// Reads Arrow files away from the page's own thread: carries out what arrowReader asks.
import { readTableHere, type Tables } from "../../engine/files/tables.js";
import { type ArrowBatches, type ArrowRows, joinBatches, openArrow } from "../arrowBatches.js";
import { answering } from "../askedWorker.js";

export type ArrowQuestion =
  | { open: Blob; name: string }
  | { batch: number }
  | { all: Blob; name: string }
  | { kind: keyof Tables; run: Blob };

export type ArrowAnswer = number | ArrowRows | Tables[keyof Tables];

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
  return readTableHere(question.kind, new Uint8Array(await question.run.arrayBuffer()));
}
