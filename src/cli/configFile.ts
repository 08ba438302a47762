import { changedFields, completeConfig, type TrainConfig } from "../engine/config.js";
import { formatField } from "../engine/fields.js";
import { readConfigFile } from "../engine/files/configFile.js";
import { formatVersion } from "../engine/files/formatVersion.js";
import { parseConfig } from "../engine/files/parseConfig.js";
import { readText } from "../runs/readText.js";
import { usageFailure } from "../terminal/failure.js";
import type { ConfigOptions } from "./configFlags.js";

/**
 * Returns options with the settings of the file in `--config`, as if they were typed. Typed options win. Settings that
 * the file has from its preset follow a typed `--preset`.
 * @param decided fields that other options decide
 * @throws Failure
 */
export async function withConfigFile<Options extends ConfigOptions>(
  options: Options,
  decided: readonly string[],
): Promise<Options> {
  const { config: path, ...typed } = options;
  if (path === undefined) return options;
  const settings = Object.entries(settingsIn(await readText(path), path))
    .filter(([field]) => !decided.includes(field))
    .map(([field, value]) => [field, String(formatField(value))]);
  return { ...Object.fromEntries(settings), ...typed };
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
