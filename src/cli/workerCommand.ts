import { Command } from "commander";
import { manifests } from "../farm/manifest.js";
import { ChoiceOption, count, jsonOption, quietOption } from "./options.js";
import type { WorkerOptions } from "./worker.js";

export function workerCommand(): Command {
  return new Command("worker")
    .description("train jobs of sweep and fit, until Ctrl-C")
    .option("--redis <url>", "the Redis with the jobs of sweep --redis and fit --redis")
    .option("--runs <folder>", "a folder that all machines share and that contains --out, or s3://BUCKET")
    .option(...count("--workers <n>", "number of jobs at a time (default: one per GPU)"))
    .addOption(new ChoiceOption("--manifest <kind>", "print a job file that starts workers on a cluster", manifests))
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText(
      "after",
      `
If a worker is killed, another continues its job within a minute.
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.
With s3://BUCKET, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION or AWS_ENDPOINT_URL.

Examples:
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs --workers 8 --manifest slurm | sbatch`,
    )
    .action(async (options: WorkerOptions) => (await import("./worker.js")).worker(options));
}
