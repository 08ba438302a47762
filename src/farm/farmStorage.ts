import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { ConfigError } from "../engine/config.js";
import { disk } from "../runs/disk.js";
import { farmFolder, storeIdFile } from "../runs/farmFolder.js";
import { openStore } from "./storage/openStore.js";
import type { Store } from "./storage/store.js";

/** The workers of a command. */
export interface FarmSettings {
  /** Number of workers that this command starts. */
  workers: number;
  /** Address of a shared Redis; the command starts its own if absent. */
  redis?: string;
  /** Address of the shared store, as in `openStore`; the parent of the command's folder if absent. */
  runs?: string;
}

/** The storage between a command and its workers. */
export interface FarmStorage {
  /** Address of the store, as in `openStore`. */
  runs: string;
  store: Store;
  /** Prefix of the command's runs in the store. */
  prefix: string;
  /** Unique id in the prefix on S3, where folders of several machines may have the same name. */
  id?: string;
}

/**
 * Opens the storage of a command.
 * @param signal ends retries if the store cannot be reached
 * @throws ConfigError, Failure
 */
export async function openFarmStorage(out: string, farm: FarmSettings, signal?: AbortSignal): Promise<FarmStorage> {
  // The command's own workers use its folder as the store.
  const runs = farm.runs ?? (farm.redis === undefined ? out : dirname(resolve(out)));
  const opened = await openStore(runs);
  const store = signal ? opened.withSignal(signal) : opened;
  if (!runs.includes("://")) return { runs, prefix: prefixOf(out, runs), store };
  const id = (await readStoreId(out)) ?? randomUUID();
  return { runs, prefix: `${basename(resolve(out))}-${id}/`, store, id };
}

/** Returns the id of an earlier command that is resumed. */
async function readStoreId(out: string): Promise<string | undefined> {
  const text = await readFile(join(out, storeIdFile), "utf8").catch(() => "");
  return /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
}

/** Removes the id, once no unfinished jobs of the command are left on S3. */
export async function removeStoreId(out: string): Promise<void> {
  await disk.remove(join(out, storeIdFile));
  await disk.rmdir(join(out, farmFolder)).catch(() => {});
}

function prefixOf(out: string, runs: string): string {
  const path = relative(runs, out);
  if (path.startsWith(".."))
    throw new ConfigError("out", out, `a folder inside --runs ${runs}, where workers write runs`);
  return path === "" ? "" : `${path.replaceAll(sep, "/")}/`;
}
