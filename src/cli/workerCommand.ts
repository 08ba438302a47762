import { Command } from "commander";
import { count, jsonOption, quietOption } from "./options.js";
import type { WorkerOptions } from "./worker.js";

export function workerCommand(): Command {
  return new Command("worker")
    .description("train jobs of sweep and fit, until Ctrl-C")
    .option("--redis <url>", "the Redis with the jobs of sweep --redis and fit --redis")
    .option("--runs <folder>", "a folder that all machines share and that contains --out")
    .option(...count("--workers <n>", "number of jobs at a time (default: one per GPU)"))
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText(
      "after",
      `
If a worker is killed, another continues its job within a minute.
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.

Example:
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs`,
    )
    .action(async (options: WorkerOptions) => (await import("./worker.js")).worker(options));
}
