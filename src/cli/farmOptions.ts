import type { FarmSettings } from "../farm/farm.js";
import { ensurePackages } from "../host/node/install.js";
import { usageFailure } from "../terminal/failure.js";

/** Options for workers. */
export interface FarmOptions {
  workers?: number;
  redis?: string;
  runs?: string;
}

/** Returns the workers that a command line asks for; undefined if it trains in this process. */
export function farmOf({ workers, redis, runs }: FarmOptions): FarmSettings | undefined {
  if (redis === undefined) {
    if (runs !== undefined) throw usageFailure("--runs needs --redis.");
    return workers === undefined ? undefined : { workers };
  }
  if (workers !== undefined)
    throw usageFailure("--workers cannot be combined with --redis. Start workers with splatbook worker.");
  installQueue();
  return { redis, runs };
}

/** Installs the queue of workers on Redis, unless it is installed. */
export const installQueue = () => ensurePackages(["bullmq", "ioredis"]);
