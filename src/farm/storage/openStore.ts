import { ConfigError } from "../../engine/config.js";
import { FolderStore } from "./folderStore.js";
import type { Store } from "./store.js";

/**
 * Opens a store.
 * @param address a folder that all machines share, or s3://BUCKET/PREFIX
 * @throws ConfigError, Failure
 */
export async function openStore(address: string): Promise<Store> {
  const [, scheme] = /^(\w+):\/\//.exec(address) ?? [];
  if (address.trim() === "" || (scheme !== undefined && scheme !== "s3")) {
    throw new ConfigError("runs", address, "a folder that all machines share, or s3://BUCKET/PREFIX");
  }
  if (scheme === undefined) return new FolderStore(address);
  const { S3Store } = await import("./s3Store.js");
  return S3Store.open(address);
}
