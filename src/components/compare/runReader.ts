import { AskedWorker } from "../../host/askedWorker.js";
import { browserPort } from "../../host/browser/browserWorker.js";
import type { ReadTable, TableQuestion } from "./runReaderWorker.js";

let thread: AskedWorker<TableQuestion, ReadTable> | undefined;

/**
 * Reads a table of a run away from the page's own thread; bytes are handed over to it.
 * @throws Error of one sentence
 */
export function readTable(question: TableQuestion): Promise<ReadTable> {
  if (!thread || thread.ended) {
    const worker = new Worker(import.meta.resolve("./runReaderWorker.js"), { type: "module" });
    thread = new AskedWorker(browserPort(worker), "The thread that reads tables");
  }
  const { file } = question;
  if (file instanceof Blob) return thread.askOfFile(file.size, question);
  return thread.askOfFile(file.length, question, [file.buffer as ArrayBuffer]);
}
