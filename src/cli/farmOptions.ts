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
  if (runs !== undefined && redis === undefined) throw usageFailure("--runs needs --redis.");
  if (workers === undefined && redis === undefined) return undefined;
  return { workers: workers ?? 0, redis, runs };
}

/** Installs the queue of workers, unless it is installed. Modules that load src/farm/ call it first. */
export const installQueue = () => ensurePackages(["bullmq", "ioredis"]);
