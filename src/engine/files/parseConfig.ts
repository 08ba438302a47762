import { ConfigError, completeConfig, type TrainConfig } from "../config.js";
import { withPresentNames } from "../oldNames.js";

/**
 * Returns the checked config of a file.
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

/** In version 1 gaussiansPerBlock was only the list capacity, without effect in pipelines that have none. */
export function dropUnusedCapacity<T extends { pipeline?: unknown; gaussiansPerBlock?: unknown }>(config: T): T {
  const { gaussiansPerBlock: _, ...rest } = config;
  return config.pipeline === "tiled" || config.pipeline === "cpu" ? config : (rest as T);
}
