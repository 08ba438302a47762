import { changedFields, completeConfig, type TrainConfig } from "../engine/config.js";
import { formatField } from "../engine/fields.js";
import { readConfigFile } from "../engine/files/configFile.js";
import { formatVersion } from "../engine/files/formatVersion.js";
import { parseConfig } from "../engine/files/parseConfig.js";
import { readText } from "../runs/inputFile.js";
import { usageFailure } from "../terminal/failure.js";
import type { ConfigOptions } from "./configFlags.js";

/**
 * Returns options with the settings of the file in `--config`. Options on the command line win. Settings that the file
 * has from its preset follow `--preset` on the command line.
 * @param decided fields that other options decide
 * @throws Failure
 */
export async function withConfigFile<Options extends ConfigOptions>(
  options: Options,
  decided: readonly string[],
): Promise<Options> {
  const { config: path, ...given } = options;
  if (path === undefined) return options;
  const settings = Object.entries(settingsIn(await readText(path), path))
    .filter(([field]) => !decided.includes(field))
    .map(([field, value]) => [field, formatField(value)]);
  return { ...Object.fromEntries(settings), ...given };
}

function settingsIn(text: string, path: string): Partial<TrainConfig> {
  try {
    const { config: fields } = readConfigFile(text, path);
    const config = parseConfig(() => fields, path, formatVersion);
    const { preset, blobs } = config;
    return { ...changedFields(config, completeConfig({ preset })), preset, ...("blobs" in fields && { blobs }) };
  } catch (error) {
    throw usageFailure((error as Error).message);
  }
}
