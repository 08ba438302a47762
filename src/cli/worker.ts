import { once } from "node:events";
import { printable } from "../engine/quoted.js";
import { usageFailure } from "../terminal/failure.js";
import { interruptible } from "../terminal/interrupt.js";
import { type FarmOptions, installQueue } from "./farmOptions.js";

export interface WorkerOptions extends FarmOptions {
  json?: boolean;
  quiet?: boolean;
}

export async function worker({ redis, runs, workers, json, quiet }: WorkerOptions): Promise<void> {
  if (redis === undefined || runs === undefined) {
    throw usageFailure("worker needs --redis and --runs, such as --redis redis://HOST:6379 --runs /shared/runs.");
  }
  installQueue();
  const { connect, watchShutdown } = await import("../farm/redis.js");
  const { checkRuns } = await import("../farm/farm.js");
  const { startWorkers } = await import("../farm/workers.js");
  const { gpuFiles } = await import("../farm/confinement.js");
  checkRuns(runs);
  const print = (text: string) => void (!quiet && process.stderr.write(`${text}\n`));
  const connection = await connect(redis, print);
  using interrupt = interruptible();
  const counts = { done: 0, failed: 0 };
  try {
    const stop = startWorkers(connection, {
      runs,
      count: workers ?? Math.max(1, gpuFiles().length),
      onEnd(run, failure) {
        counts[failure === undefined ? "done" : "failed"]++;
        print(failure === undefined ? `${run}: done` : `${run}: ${printable(failure)}`);
      },
      onWarning: print,
      onRefusal: (refusal) => void process.stderr.write(`${refusal}\n`),
    });
    await once(interrupt.signal, "abort");
    const shutdown = watchShutdown(connection);
    await stop();
    shutdown.end();
    if (shutdown.isCut) print("Redis does not answer, so unfinished jobs go to other workers once it is back.");
  } finally {
    connection.disconnect();
  }
  if (json) process.stdout.write(`${JSON.stringify(counts)}\n`);
  else print(`${counts.done} runs done, ${counts.failed} attempts failed.`);
}
