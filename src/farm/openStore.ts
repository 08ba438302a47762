import { ConfigError } from "../engine/config.js";
import { FolderStore } from "./folderStore.js";
import type { Store } from "./store.js";

/**
 * Opens a store.
 * @param place a folder that all machines share, or s3://BUCKET/PREFIX
 * @throws ConfigError, Failure
 */
export async function openStore(place: string): Promise<Store> {
  const [, scheme] = /^(\w+):\/\//.exec(place) ?? [];
  if (place.trim() === "" || (scheme !== undefined && scheme !== "s3")) {
    throw new ConfigError("runs", place, "a folder that all machines share, or s3://BUCKET/PREFIX");
  }
  if (scheme === undefined) return new FolderStore(place);
  const { S3Store } = await import("./s3Store.js");
  return S3Store.open(place);
}
