import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import type { MetricsRow } from "../../engine/files/arrow.js";
import { crc32 } from "../../engine/files/splat2d/crc32.js";
import type { Image } from "../../engine/image/image.js";
import { withPresentNames } from "../../engine/oldNames.js";
import type { SweptResult } from "../../engine/sweep/sweep.js";
import { encodePng } from "../../host/browser/encodeBitmap.js";
import type { ChosenImage } from "../../host/browser/images.js";

/** The points of a stored curve, and the most pixels of a stored thumbnail's side. */
export const [curvePoints, thumbnailSide] = [100, 128];

/** A point of a run's training curve. */
export type CurvePoint = Pick<MetricsRow, "step" | "seconds" | "loss" | "psnr">;

/** The stored result of a run of a sweep. */
export interface SweptRun {
  result: SweptResult;
  /** About a hundred points, evenly spaced. */
  curve: CurvePoint[];
  /** Thumbnail of the render, under the name that stored results have. */
  picture?: Image;
}

interface Schema extends DBSchema {
  runs: { key: string; value: SweptRun & { keptAt: number }; indexes: { keptAt: number } };
  /** Readers' own images, by `imageKey`. */
  pictures: { key: string; value: { name: string; file: Blob; keptAt: number }; indexes: { keptAt: number } };
}

/** Opens the database. Async, since some browsers throw synchronously if a page may not store anything. */
async function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>("splatbook-sweeps", 2, {
    async upgrade(database, version, _, transaction) {
      if (version === 1) return renameKeys(transaction);
      database.createObjectStore("runs").createIndex("keptAt", "keptAt");
      database.createObjectStore("pictures").createIndex("keptAt", "keptAt");
    },
    // So that a page with a newer version of the store does not wait for this one.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
}

/** Renames the keys of version 1, which contain old names of fields. */
async function renameKeys(transaction: IDBPTransaction<Schema, ("runs" | "pictures")[], "versionchange">) {
  const runs = transaction.objectStore("runs");
  for (const key of await runs.getAllKeys()) {
    const [, image, config] = /^(\S+) (\{.*\})$/.exec(key) ?? [];
    if (config === undefined) continue;
    const present = `${image} ${JSON.stringify(withPresentNames(JSON.parse(config)))}`;
    const run = await runs.get(key);
    await runs.delete(key);
    await runs.put(run!, present);
  }
}

/** The results of sweeps in the browser's storage; none where a browser does not allow storage. */
export class SweepStore {
  readonly #database: Promise<IDBPDatabase<Schema> | undefined>;
  error: string | undefined;
  /** Whether the storage is full, so that only deleting helps. */
  isFull = false;

  constructor() {
    this.#database = open().catch((error) => this.#setError(error));
  }

  /** Returns the stored runs of keys; undefined where there is none. */
  async runs(keys: string[]): Promise<(SweptRun | undefined)[]> {
    return this.#query([], async (database) => {
      const { store } = database.transaction("runs");
      return Promise.all(keys.map((key) => store.get(key)));
    });
  }

  saveRun(key: string, run: SweptRun): Promise<void> {
    return this.#put("runs", key, { ...run, keptAt: Date.now() });
  }

  deleteResults(keys: string[]): Promise<void> {
    return this.#query(undefined, async (database) => {
      const { store, done } = database.transaction("runs", "readwrite");
      await Promise.all([...keys.map((key) => store.delete(key)), done]);
    });
  }

  /** Deletes the results and images of all sweeps. */
  async clear(): Promise<void> {
    this.isFull = false;
    this.error = undefined;
    await this.#query(undefined, async (database) => {
      const tx = database.transaction(["runs", "pictures"], "readwrite");
      await Promise.all([tx.objectStore("runs").clear(), tx.objectStore("pictures").clear(), tx.done]);
    });
  }

  async ownImage(key: string | undefined): Promise<File | undefined> {
    const stored = key && (await this.#query(undefined, (database) => database.get("pictures", key)));
    return stored ? new File([stored.file], stored.name, { type: stored.file.type }) : undefined;
  }

  /** Stores the reader's own image, so that a reload finds it, and returns its key; undefined for an image of the gallery. */
  async saveOwnImage({ inGallery, image, name }: ChosenImage): Promise<string | undefined> {
    if (inGallery) return undefined;
    const key = imageKey(image);
    await this.#put("pictures", key, { name, file: await encodePng(image), keptAt: Date.now() });
    return key;
  }

  async #put<S extends "runs" | "pictures">(name: S, key: string, value: Schema[S]["value"]): Promise<void> {
    await this.#query(undefined, async (database) => {
      await database.put(name, value, key);
    });
  }

  async #query<T>(fallback: T, query: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    const database = await this.#database;
    if (!database) return fallback;
    try {
      return await query(database);
    } catch (error) {
      this.#setError(error);
      return fallback;
    }
  }

  #setError(error: unknown): undefined {
    this.isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    if (this.isFull) {
      this.error =
        "The browser's storage is full, so new results are lost on reload. Delete the results of all sweeps, or free space on the disk.";
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    this.error = `This browser does not store results, so they are lost on reload: ${reason.replace(/\.?$/, ".")}`;
  }
}

/** Returns the stored values of a row of metrics. */
export function curvePoint({ step, seconds, loss, psnr }: CurvePoint): CurvePoint {
  return { step, seconds, loss, psnr };
}

/** Returns a key that identifies an image. */
export function imageKey({ width, height, data }: Image): string {
  const sum = crc32(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return `${width}x${height}-${sum.toString(16).padStart(8, "0")}`;
}
