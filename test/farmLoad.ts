// Trains many small fits with workers while some of them and Redis are killed, and checks the runs:
// node --import tsx test/farmLoad.ts 1000 8 20 > farm.json (runs, workers, kills; on Linux, with redis-server)
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { QueueEvents, Worker } from "bullmq";
import sharp from "sharp";
import { completeConfig } from "../src/engine/config.js";
import { readSweepFile } from "../src/engine/files/sweepFile.js";
import { codeVersion, type FarmJob } from "../src/farm/farmJob.js";
import { JobQueue, queueName } from "../src/farm/queue.js";
import { connect } from "../src/farm/redis.js";
import { RedisServer } from "../src/farm/redisServer.js";
import { projectRoot } from "../src/host/node/install.js";

const [runs = 1000, workers = 8, kills = 20] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "splatbook-farm-"));
const seeds = Array.from({ length: runs }, (_, i) => i + 1);
const config = { pipeline: "cpu", blobs: 12, steps: 100 };
const described = { image: "small.png", config, vary: { seed: seeds } };
await sharp(join(projectRoot, "data", "images", "astronaut.png"))
  .resize(16, 16)
  .toFile(join(folder, "small.png"));
writeFileSync(join(folder, "described.json"), JSON.stringify(described));
const out = join(folder, "runs", "small");

const server = await RedisServer.start(join(folder, "redis"));
const redis = await connect(server.address);

/** Returns milliseconds per job without training, one job after the other. */
async function queueTime(): Promise<number> {
  const queue = new JobQueue(redis.duplicate());
  const [version, picture] = [codeVersion(), "0".repeat(64)];
  const job = (run: string): FarmJob => ({
    ...{ version, picture, imageName: "small.png", run, comparesPipelines: false },
    config: completeConfig({ blobs: 12 }),
  });
  const trainer = fork(new URL("./support/trainNothing.mjs", import.meta.url), { execArgv: [] });
  const train = () => new Promise((answer) => trainer.once("message", answer).send({}));
  const worker = new Worker(queueName(version), train, { connection: redis });
  let left = runs + 1;
  let start = 0;
  await new Promise<void>((resolve) => {
    // The first job starts the process.
    worker.on("completed", async () => {
      if (--left === runs) {
        start = performance.now();
        await queue.put(seeds.map((seed) => job(`empty/${seed}`)));
      }
      if (left === 0) resolve();
    });
    void queue.put([job("empty/first")]);
  });
  const milliseconds = (performance.now() - start) / runs;
  await worker.close();
  trainer.kill();
  await queue.close();
  return milliseconds;
}

const perJob = await queueTime();
console.error(`${perJob.toFixed(2)} ms of queueing per job`);

const script = join(projectRoot, "src", "cli", "splatbook.js");
const splatbook = (...args: string[]) =>
  spawn(process.execPath, [script, ...args], { stdio: ["ignore", "ignore", "inherit"] });

const living = new Set<ChildProcess>();
let isOver = false;

/** Starts a worker, and restarts it whenever it ends, as a cluster does. */
function startWorker(): void {
  const given = ["--redis", server.address, "--runs", join(folder, "runs"), "--workers", "1", "--quiet"];
  const worker = splatbook("worker", ...given);
  living.add(worker);
  worker.on("exit", () => {
    living.delete(worker);
    if (!isOver) startWorker();
  });
}

/** Returns the process that trains for a worker, or undefined before it starts. */
function trainerOf({ pid }: ChildProcess): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
  return children.find((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("trainer.mjs"));
}

// When workers started each job, and how often each job ended.
const given = new Map<string, number[]>();
const completed = new Map<string, number>();
const events = new QueueEvents(queueName(codeVersion()), { connection: redis });
events.on("error", () => {});
events.on("active", ({ jobId }) => {
  const now = performance.now();
  given.set(jobId, [...(given.get(jobId) ?? []), now]);
});
events.on("completed", ({ jobId }) => completed.set(jobId, (completed.get(jobId) ?? 0) + 1));
await events.waitUntilReady();

const start = performance.now();
for (let i = 0; i < workers; i++) startWorker();
const sweep = splatbook("sweep", join(folder, "described.json"), "--redis", server.address, "--out", out);
const ended = once(sweep, "exit");

const killed = { workers: 0, trainers: 0, redis: 0 };
const moments = Array.from({ length: kills }, (_, i) => ((i + 0.2 + 0.6 * Math.random()) / kills) * 0.95 * runs);
for (const [i, moment] of moments.entries()) {
  while (completed.size < moment && sweep.exitCode === null) await wait(5);
  if (sweep.exitCode !== null) break;
  await wait(200 * Math.random());
  const worker = [...living][Math.floor(living.size * Math.random())];
  const trainer = trainerOf(worker);
  if (i % 4 === 3 && trainer !== undefined) {
    process.kill(trainer, "SIGKILL");
    killed.trainers++;
  } else {
    worker.kill("SIGKILL");
    killed.workers++;
  }
  if (i === Math.floor(kills / 2)) {
    const [, pid] = /process_id:(\d+)/.exec(await redis.info("server"))!;
    process.kill(Number(pid), "SIGKILL");
    killed.redis++;
  }
}
const [code] = await ended;
const seconds = (performance.now() - start) / 1000;
isOver = true;
for (const worker of living) worker.kill("SIGTERM");
while (living.size > 0) await wait(20);

const { rows } = readSweepFile(readFileSync(join(out, "sweep.arrow")));
const folders = readdirSync(out).filter((name) => name.startsWith("seed-"));
const isWhole = (seed: number) => {
  const { step, config: trained } = JSON.parse(readFileSync(join(out, `seed=${seed}`, "run.json"), "utf8"));
  return step === config.steps && trained.seed === seed;
};
const lost = seeds.filter(
  (seed) => !rows.some((row) => row.values[0] === seed && row.status === "done") || !isWhole(seed),
);
const gaps = [...given.values()].flatMap((times) => times.slice(1).map((time, i) => (time - times[i]) / 1000));
const left = readdirSync(join(folder, "runs", ".splatbook-farm", "attempts"));
const result = {
  runs,
  workers,
  killed,
  exitCode: code,
  seconds,
  lost: lost.length,
  twice: rows.length - new Set(rows.map(({ values }) => values[0])).size,
  rows: rows.length,
  folders: folders.length,
  attemptsLeft: left.length,
  // From the start in a worker that was killed to the start in the next worker.
  givenAgain: gaps.length,
  longestAgain: Math.max(0, ...gaps),
  queueMilliseconds: perJob,
};
console.log(JSON.stringify(result, null, 2));
await events.close();
redis.disconnect();
await server.stop();
rmSync(folder, { recursive: true, force: true });
const isGood = code === 0 && lost.length === 0 && rows.length === runs && result.longestAgain < 60 && perJob <= 10;
process.exit(isGood ? 0 : 1);
