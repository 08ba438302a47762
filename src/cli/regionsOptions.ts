import { stat } from "node:fs/promises";
import { maxPixels } from "../engine/image/image.js";
import { reducedSize } from "../engine/image/reduce.js";
import { areaOf } from "../engine/regions/plan.js";
import type { FarmSettings } from "../farm/farmStorage.js";
import { stdin } from "../host/node/imageFile.js";
import { imageSize } from "../host/node/stagedImage.js";
import { usageFailure } from "../terminal/failure.js";
import { optionalCount } from "../terminal/flags.js";
import { type FitOptions, longestSideOf } from "./fitOptions.js";

/** Options for workers, as they were typed. */
export interface FarmOptions {
  workers?: string;
  redis?: string;
  runs?: string;
}

/** Options of `splatbook fit` for an image that is fitted in regions. */
export interface RegionsOptions extends FitOptions, FarmOptions {
  regions?: boolean;
  regionSize?: string;
}

/** Returns the workers that a command line asks for; undefined if it trains in this process. */
export function farmOf({ workers, redis, runs }: FarmOptions): FarmSettings | undefined {
  if (runs !== undefined && redis === undefined) throw usageFailure("--runs needs --redis.");
  if (workers === undefined && redis === undefined) return undefined;
  return { workers: optionalCount("workers", workers) ?? 0, redis, runs };
}

/**
 * Returns whether a command line asks for regions: by an option, by an image with too many pixels to read at once, or by
 * resuming a run that has regions.
 */
export async function wantsRegions(path: string | undefined, options: RegionsOptions): Promise<boolean> {
  const { regions, regionSize, resume } = options;
  const asksForRegions = regions === true || regionSize !== undefined;
  if (resume !== undefined) {
    const { openRunFolder } = await import("../runs/runFolder.js");
    // Resuming the run reports what is wrong with it.
    const previous = await openRunFolder(resume).catch(() => undefined);
    const hasRegions = previous?.description.regions !== undefined;
    if (previous && asksForRegions && !hasRegions) throw usageFailure(`${resume} was not fitted in regions.`);
    return hasRegions;
  }
  if (asksForRegions || path === undefined) return asksForRegions;
  // Unlike a file, a pipe can be read only once.
  if (path === stdin || !(await stat(path).catch(() => undefined))?.isFile()) return false;
  const size = await imageSize(path).catch(() => undefined);
  return size !== undefined && areaOf(reducedSize(size, longestSideOf(options))) > maxPixels;
}
