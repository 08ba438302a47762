import { dirname, relative, resolve, sep } from "node:path";
import { ConfigError } from "../engine/config.js";
import { Store } from "./store.js";

/** The workers of a command. */
export interface FarmSettings {
  /** Number of workers that this command starts. */
  workers: number;
  /** Address of a shared Redis; the command starts its own if absent. */
  redis?: string;
  /** The folder that all machines share; the parent of the command's folder if absent. */
  runs?: string;
}

/** The storage between a command and its workers. */
export interface FarmStorage {
  store: Store;
  /** Prefix of the command's runs in the store. */
  prefix: string;
}

/**
 * Opens the storage of a command.
 * @throws ConfigError
 */
export function openFarmStorage(out: string, farm: FarmSettings): FarmStorage {
  // The command's own workers use its folder as the store.
  const store = new Store(farm.runs ?? (farm.redis === undefined ? out : dirname(resolve(out))));
  const path = relative(store.name, out);
  if (path.startsWith(".."))
    throw new ConfigError("out", out, `a folder inside --runs ${store.name}, where workers write runs`);
  return { store, prefix: path === "" ? "" : `${path.replaceAll(sep, "/")}/` };
}
