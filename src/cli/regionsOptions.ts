import { maxPixels } from "../engine/image/image.js";
import { reducedSize } from "../engine/image/reduce.js";
import { areaOf } from "../engine/regions/plan.js";
import type { FarmSettings } from "../farm/farmStorage.js";
import { sizeInFile } from "../runs/readTarget.js";
import { usageFailure } from "../terminal/failure.js";
import type { FitOptions } from "./fitOptions.js";

/** Options for workers. */
export interface FarmOptions {
  workers?: number;
  redis?: string;
  runs?: string;
}

/** Options of `splatbook fit` for an image that is fitted in regions. */
export interface RegionsOptions extends FitOptions, FarmOptions {
  regions?: boolean;
  regionSize?: number;
}

/** Returns the workers that a command line asks for; undefined if it trains in this process. */
export function farmOf({ workers, redis, runs }: FarmOptions): FarmSettings | undefined {
  if (runs !== undefined && redis === undefined) throw usageFailure("--runs needs --redis.");
  if (workers === undefined && redis === undefined) return undefined;
  return { workers: workers ?? 0, redis, runs };
}

/**
 * Returns whether a command line asks for regions: by an option, by an image with too many pixels to read at once, or by
 * resuming a run that has regions.
 */
export async function wantsRegions(path: string | undefined, options: RegionsOptions): Promise<boolean> {
  const { regions, regionSize, resume, longest = Number.POSITIVE_INFINITY } = options;
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
  const size = await sizeInFile(path);
  return size !== undefined && areaOf(reducedSize(size, longest)) > maxPixels;
}
