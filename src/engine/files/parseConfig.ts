import { ConfigError, completeConfig, type TrainConfig } from "../config.js";

/** The config that a file holds, checked, with a sentence that names the file where it is wrong. */
export function parseConfig(read: () => unknown, file: string): TrainConfig {
  try {
    return completeConfig(read() as Partial<TrainConfig>);
  } catch (error) {
    const why = error instanceof ConfigError ? error.message : "it is not JSON.";
    throw new Error(`The config in ${file} cannot be used: ${why}`);
  }
}
