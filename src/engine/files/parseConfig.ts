import { ConfigError, completeConfig, type TrainConfig } from "../config.js";
import { withPresentNames } from "../oldNames.js";

/**
 * Returns the config that a file holds, checked.
 * @param version the file's format version
 * @throws Error of one sentence that names the file
 */
export function parseConfig(read: () => unknown, file: string, version: number): TrainConfig {
  try {
    const config = withPresentNames(read() as Partial<TrainConfig>);
    return completeConfig(version < 2 ? dropUnusedCapacity(config) : config);
  } catch (error) {
    const reason = error instanceof ConfigError ? error.message : "it is not JSON.";
    throw new Error(`The config in ${file} cannot be used: ${reason}`);
  }
}

/** Up to version 1 gaussiansPerBlock was the capacity of a tile's list, and did nothing in pipelines without one. */
export function dropUnusedCapacity<T extends { pipeline?: unknown; gaussiansPerBlock?: unknown }>(config: T): T {
  const { gaussiansPerBlock: _, ...rest } = config;
  return config.pipeline === "tiled" || config.pipeline === "cpu" ? config : (rest as T);
}
