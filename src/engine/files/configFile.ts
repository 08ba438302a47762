import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { withPresentNames } from "../oldNames.js";
import { mustBe } from "../quoted.js";
import { isObject } from "./fieldChecks.js";
import { formatVersion } from "./formatVersion.js";
import { dropUnusedCapacity } from "./parseConfig.js";

/** The contents of config.json: the configuration with all defaults, and the image that it was trained on. */
export interface ConfigFile {
  config: Record<string, unknown>;
  /** The image's name, its name in the gallery if it is from there, and its size in training. */
  image?: { name: string; inGallery?: string; width: number; height: number };
  /** Whether the image was trained in regions, which the lab does not support. */
  isByRegions?: boolean;
}

/** Returns the text of config.json. */
export function writeConfigFile(
  config: TrainConfig,
  target: { name: string; inGallery?: string; image: Size },
): string {
  const { name, inGallery, image } = target;
  const { width, height } = image;
  return `${JSON.stringify({ version: formatVersion, config, image: { name, inGallery, width, height } }, null, 2)}\n`;
}

/**
 * Reads a config.json, the run.json of a run folder, or a bare configuration. Its fields are not checked yet.
 * @throws Error if the text is none of these
 */
export function readConfigFile(text: string, name: string): ConfigFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON.`);
  }
  if (!isObject(value)) throw new Error(`${name} does not hold a config.`);
  if (!("config" in value)) return { config: withPresentNames(value) };
  if (!isObject(value.config)) throw new Error(mustBe(`The config in ${name}`, "an object", value.config));
  const { image, version = 1 } = value;
  const written = withPresentNames(value.config);
  const config = version === 1 ? dropUnusedCapacity(written) : written;
  return { config, image: isImage(image) ? image : undefined, ...("regions" in value && { isByRegions: true }) };
}

function isImage(value: unknown): value is NonNullable<ConfigFile["image"]> {
  return isObject(value) && Number.isInteger(value.width) && Number.isInteger(value.height);
}
