import { Command } from "commander";
import { manifests } from "../farm/manifest.js";
import type { WorkerOptions } from "./worker.js";

export function workerCommand(): Command {
  return new Command("worker")
    .description("train runs of sweeps, and regions of large pictures, until Ctrl-C")
    .option("--redis <url>", "the Redis that sweep --redis and fit --redis put jobs into")
    .option("--runs <folder>", "where all machines have the runs: the folder that their --out lies in, or s3://BUCKET")
    .option("--workers <n>", "train so many runs at a time (default: one a GPU)")
    .option("--manifest <kind>", `print what starts such workers on a cluster: ${manifests.join(" or ")}`)
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr, and no summary")
    .addHelpText(
      "after",
      `
A run that a worker was killed with is given to another within a minute, and one that was stopped goes on there.
Redis's password may come from the environment, where ps does not show it: SPLATBOOK_REDIS_PASSWORD.
With s3://BUCKET the environment has AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_REGION or AWS_ENDPOINT_URL.

Examples:
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs --workers 8 --manifest slurm | sbatch`,
    )
    .action(async (options: WorkerOptions) => (await import("./worker.js")).worker(options));
}
