import { Command } from "commander";
import { manifests } from "../farm/manifest.js";
import { choice, count, jsonOption, quietOption } from "./options.js";
import type { WorkerOptions } from "./worker.js";

export function workerCommand(): Command {
  return new Command("worker")
    .description("train jobs of sweep and fit, until Ctrl-C")
    .option("--redis <url>", "the Redis with the jobs of sweep --redis and fit --redis")
    .option("--runs <folder>", "a folder that all machines share and that contains --out")
    .option(...count("--workers <n>", "number of jobs at a time (default: one per GPU)"))
    .option(...choice("--manifest <kind>", "print a job file that starts workers on a cluster", manifests))
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText(
      "after",
      `
If a worker is killed, another continues its job within a minute.
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.

Examples:
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs --workers 8 --manifest slurm | sbatch`,
    )
    .action(async (options: WorkerOptions) => (await import("./worker.js")).worker(options));
}
