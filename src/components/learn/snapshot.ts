import { FileAttachment } from "observablehq:stdlib";
import { type Image, sizeOf } from "../../engine/image/image.js";
import { reduceImage } from "../../engine/image/reduce.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { parseSnapshot, type Snapshot, type SnapshotFile, writeSnapshot } from "./snapshotFile.js";

const recorded = FileAttachment("../../learn/snapshot.json");
const key = "splatbook.snapshot";

/** Returns the run that the figures of all chapters inspect: that of the reader's image, or the recorded one. */
export async function readSnapshot(): Promise<Snapshot> {
  try {
    const stored = localStorage.getItem(key);
    if (stored) return parseSnapshot(JSON.parse(stored));
  } catch {
    // The recorded one is as good.
  }
  return readRecorded();
}

async function readRecorded(): Promise<Snapshot> {
  return parseSnapshot((await recorded.json()) as SnapshotFile);
}

/** Trains the recorded job on an image of the reader. Returns undefined for the recorded image. */
export async function trainSnapshot(engine: BrowserEngine, name: string, image: Image): Promise<Snapshot | undefined> {
  const { name: recordedName, image: recordedImage, config } = await readRecorded();
  if (name === recordedName) return undefined;
  const { width, height } = sizeOf(recordedImage);
  const target = reduceImage(image, Math.max(width, height));
  const pipeline = await engine.backend("cpu").open(config, target);
  try {
    await pipeline.advance(config.steps);
    return { name, config, image: target, state: await pipeline.state() };
  } finally {
    await pipeline.free();
  }
}

/**
 * Stores a run for all chapters, or returns to the recorded one.
 * @throws Error of one sentence if the browser does not store it
 */
export function storeSnapshot(snapshot: Snapshot | undefined): void {
  try {
    if (snapshot) localStorage.setItem(key, JSON.stringify(writeSnapshot(snapshot)));
    else localStorage.removeItem(key);
  } catch {
    throw new Error("This browser does not store runs, so the chapters show the recorded one.");
  }
}
