import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { readSweepFile } from "../../../src/engine/files/sweepFile.js";
import { hashImage } from "../../../src/engine/image/image.js";
import { type FarmJob, type FarmResult, idOf } from "../../../src/farm/farmJob.js";
import { connect, type SharedRedis } from "../../../src/farm/redis.js";
import { queueName, RedisQueue } from "../../../src/farm/redisQueue.js";
import { Store } from "../../../src/farm/store.js";
import { trainerFor } from "../../../src/farm/trainer.js";
import { startWorkers } from "../../../src/farm/workers.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { disk } from "../../../src/runs/disk.js";
import { lockName } from "../../../src/runs/lock.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { hasRedis, startRedis } from "../../support/redis.js";
import { whileFull } from "../runs/faultyDisk.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const hash = await hashImage(await decodeImage(imagePath));
const { signal } = new AbortController();

const rowsOf = (out: string) => readSweepFile(readFileSync(join(out, "sweep.arrow"))).rows;
const untimed = ({ seconds: _, stepsPerSecond: _s, ...row }: ReturnType<typeof rowsOf>[number]) => row;

/** Resolves when a condition is true. */
async function until<T>(isSo: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = isSo();
    if (found) return found;
    await wait(10);
  }
}

/** Returns the attempt that has recorded some gradients. */
function attemptUnderWay(runs: string): string | undefined {
  const attempts = join(runs, ".splatbook-farm", "attempts");
  const names = existsSync(attempts) ? readdirSync(attempts) : [];
  return names.map((name) => join(attempts, name)).find((path) => existsSync(join(path, ".splatbook-next-gradients")));
}

/** Returns the process that trains it. */
function trainerUnderWay(runs: string): number | undefined {
  const attempt = attemptUnderWay(runs);
  try {
    return attempt === undefined ? undefined : Number.parseInt(readdirSync(join(attempt, lockName))[0], 10);
  } catch {
    // It has just started or ended.
    return undefined;
  }
}

/** A job as queued by a sweep. */
function jobOf(run: string, others: Partial<FarmJob> = {}): FarmJob {
  const config = completeConfig({ pipeline: "cpu", blobs: 12, steps: 6 });
  return { config, folder: "", run, picture: hash, imageName: "small.png", comparesPipelines: false, ...others };
}

describe("a worker's trainer", () => {
  const runs = join(folder, "trained");
  const store = new Store(runs);
  const train = trainerFor(runs, 1);
  const attempts = join(runs, ".splatbook-farm", "attempts");
  const image = join(runs, ".splatbook-farm", "inputs", hash);
  const ask = (run: string, token = "token") => ({ id: "job", token, job: jobOf(run) });
  /** Returns the message of its failure. */
  const troubleOf = (run: string) =>
    train(ask(run), signal).then(
      () => assert.fail(),
      ({ message }) => message as string,
    );

  it("reports why an image cannot be read, or a disk not be written to, and leaves nothing behind", async () => {
    assert.match(await troubleOf("seed=1"), /trained has no input \w{8}\. --runs must be the same folder on/);
    await store.put(hash, readFileSync(imagePath).subarray(0, 200));
    assert.match(await troubleOf("seed=1"), /^The image \w{8} of \S+trained is damaged or truncated/);
    writeFileSync(image, readFileSync("data/images/astronaut.png"));
    assert.match(await troubleOf("seed=1"), /^The image \w{8} of \S+trained is damaged: its hash is different\.$/);
    writeFileSync(image, readFileSync(imagePath));
    const full = whileFull(
      (path) => path.endsWith("optimizer.arrow"),
      () => troubleOf("seed=1"),
    );
    assert.match(await full, /^Nothing could be written to \S+: the disk is full\.$/);
    assert.deepEqual(readdirSync(attempts), []);
    assert.equal(existsSync(join(runs, "seed=1")), false);
  });

  it("does not train a run again of a worker that was killed right after its commit, or right before", async () => {
    await store.put(hash, readFileSync(imagePath));
    await train(ask("seed=2"), signal);
    const run = join(runs, "seed=2");
    const written = readFileSync(join(run, "run.json"));
    assert.deepEqual(await train(ask("seed=2"), signal), { host: hostname() });
    assert.ok(readFileSync(join(run, "run.json")).equals(written));
    renameSync(run, join(attempts, "job.before"));
    assert.deepEqual(await train(ask("seed=2"), signal), { host: hostname() });
    assert.ok(readFileSync(join(run, "run.json")).equals(written));
    assert.deepEqual(readdirSync(attempts), []);
  });

  it("keeps a run that it cannot commit, which the next one does without training again", async () => {
    await store.put(hash, readFileSync(imagePath));
    const { rename } = disk;
    const spy = vi.spyOn(disk, "rename").mockImplementation(async (from, to) => {
      if (!String(to).endsWith("seed=3")) return rename(from, to);
      throw Object.assign(new Error("EIO: i/o error, rename"), { code: "EIO" });
    });
    assert.match(await troubleOf("seed=3"), /^Nothing could be written to \S+seed=3: /);
    spy.mockRestore();
    assert.equal(existsSync(join(runs, "seed=3")), false);
    // Without its image it cannot be trained.
    rmSync(image);
    assert.deepEqual(await trainerFor(runs, 1)(ask("seed=3", "second"), signal), { host: hostname() });
    assert.equal(JSON.parse(readFileSync(join(runs, "seed=3", "run.json"), "utf8")).step, 6);
  });

  it("gives a run that is stopped its name, from which the next one continues", async () => {
    await store.put(hash, readFileSync(imagePath));
    const config = completeConfig({ pipeline: "cpu", blobs: 12, steps: 2000 });
    const job = jobOf("seed=4", { config, recordGradientsEvery: 5 });
    const stop = new AbortController();
    const training = train({ id: "job", token: "first", job }, stop.signal);
    await until(() => attemptUnderWay(runs));
    stop.abort();
    assert.equal(await training, undefined);
    assert.deepEqual(readdirSync(attempts), []);
    const description = () => JSON.parse(readFileSync(join(runs, "seed=4", "run.json"), "utf8"));
    const { step } = description();
    assert.ok(step > 0 && step < 2000, String(step));
    assert.deepEqual(await train({ id: "job", token: "second", job }, signal), { host: hostname() });
    const { step: end, film } = description();
    assert.equal(end, 2000);
    assert.ok(film.includes(step), "the step at which it was stopped");
  });
});

describe("splatbook sweep --workers", () => {
  it("trains to the bits of one process, even if it is stopped, and its trainer is killed", async () => {
    const out = join(folder, "swept");
    const job = [imagePath, "--pipeline", "cpu", "--blobs", "12", "--record-gradients-every", "5"];
    const sweep = [...job, "--vary", "steps=20,500", "--vary", "initializer=uniform,gradient"];
    const stopped = splatbook(["sweep", ...sweep, "--out", out, "--workers", "1"]);
    const [short, long] = ["steps-20_initializer-uniform", "steps-500_initializer-uniform"];
    await until(() => existsSync(join(out, short, "run.json")) && attemptUnderWay(out));
    process.emit("SIGINT");
    const { code, stderr } = await stopped;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Stopped with 1 of 4 runs done\. Resume with: splatbook sweep --resume \S+swept\n$/);
    const statuses = () => rowsOf(out).map(({ status, run }) => [status, run]);
    assert.deepEqual(statuses(), [
      ["done", short],
      ["refused", ""],
      ["stopped", long],
      ["refused", ""],
    ]);
    assert.equal(existsSync(join(out, ".splatbook-farm")), false);
    const first = readFileSync(join(out, short, "run.json"));
    const { step } = JSON.parse(readFileSync(join(out, long, "run.json"), "utf8"));
    assert.ok(step > 0 && step < 500);

    const resumed = splatbook(["sweep", "--resume", out, "--workers", "1", "--json"]);
    const killed = await until(() => trainerUnderWay(out));
    process.kill(killed, "SIGKILL");
    await until(() => ![undefined, killed].includes(trainerUnderWay(out)));
    const { code: then, stdout, stderr: output } = await resumed;
    assert.equal(then, 0, output);
    assert.equal(JSON.parse(stdout).runs.length, 4);
    assert.ok(readFileSync(join(out, short, "run.json")).equals(first), "what is done is not trained again");
    assert.equal(existsSync(join(out, ".splatbook-farm")), false);

    const alone = join(folder, "alone");
    await splatbook(["sweep", ...sweep, "--out", alone, "--quiet"]);
    assert.deepEqual(rowsOf(out).map(untimed), rowsOf(alone).map(untimed));
    // Except for the film frame at the step where it was stopped.
    const isMeant = (path: string) => !path.endsWith(`film/${String(step).padStart(6, "0")}.png`);
    const files = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" }).filter(isMeant).sort();
    assert.deepEqual(files(out), files(alone));
    for (const run of [short, long]) {
      const [one, other] = [out, alone].map((path) => readFileSync(join(path, run, "parameters.arrow")));
      assert.ok(one.equals(other), run);
    }
  });

  it("ends with a report if workers can train nothing", async () => {
    const out = join(folder, "failing");
    mkdirSync(join(out, ".splatbook-farm"), { recursive: true });
    writeFileSync(join(out, ".splatbook-farm", "attempts"), "");
    const sweep = [imagePath, "--pipeline", "cpu", "--blobs", "12", "--vary", "seed=1", "--out", out];
    const { code, stderr } = await splatbook(["sweep", ...sweep, "--workers", "1", "--quiet"]);
    assert.deepEqual([code, stderr], [1, `1 of 1 runs failed. The reasons are in ${join(out, "sweep.arrow")}.\n`]);
    const [{ status, sentence }] = rowsOf(out);
    const why = "attempts is a file, so nothing can be written into it.";
    assert.deepEqual([status, sentence.endsWith(why)], ["failed", true], sentence);
  });
});

describe.skipIf(!hasRedis)("workers, which need redis-server,", () => {
  let started: Awaited<ReturnType<typeof startRedis>>;
  let redis: SharedRedis;
  let queue: RedisQueue;
  let raw: Queue;
  const ended = new Map<string, (FarmResult | Error)[]>();

  beforeAll(async () => {
    started = await startRedis(join(folder, "redis"));
    redis = await connect(started.address);
    queue = new RedisQueue(await connect(started.address));
    raw = new Queue(queueName(), { connection: redis });
    const take = (id: string, result: FarmResult | Error) => ended.set(id, [...(ended.get(id) ?? []), result]);
    await queue.follow(take, () => {});
  });
  afterAll(async () => {
    await queue.close();
    await raw.close();
    redis.disconnect();
    started.server.kill("SIGKILL");
  });

  it("train a sweep, even if Redis is killed meanwhile", async () => {
    const out = join(folder, "shared", "swept");
    const dir = join(folder, "killed-redis");
    const { address, port, server: killed } = await startRedis(dir);
    const connection = await connect(address);
    const stop = startWorkers(connection, { runs: join(folder, "shared"), count: 1 });
    const job = [imagePath, "--pipeline", "cpu", "--blobs", "12", "--record-gradients-every", "5"];
    const sweep = [...job, "--vary", "steps=500,20"];
    const trained = splatbook(["sweep", ...sweep, "--out", out, "--redis", address]);
    await until(() => attemptUnderWay(out));
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const again = await startRedis(dir, port);
    const { code, stderr } = await trained;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Start workers with: splatbook worker --redis redis:\S+ --runs \S+shared\n/m);
    assert.match(stderr, /^Lost the connection to Redis\. Waiting for it\.\nRedis is back\.\n/m);
    assert.deepEqual(
      rowsOf(out).map(({ status, step }) => [status, step]),
      [
        ["done", 500],
        ["done", 20],
      ],
    );
    assert.equal(existsSync(join(out, ".splatbook-farm")), false);
    await stop();
    connection.disconnect();
    again.server.kill("SIGKILL");
  });

  it("train a job once that was queued twice, again if its worker is silent, later if it was stopped, and report failures", async () => {
    const runs = join(folder, "runs");
    const store = new Store(runs);
    await store.put(hash, readFileSync(imagePath));
    const [job, failing] = [jobOf("sweep/seed=1"), jobOf("sweep/seed=2", { picture: "0".repeat(64) })];
    await Promise.all([queue.put([job, job]), queue.put([job])]);
    assert.equal(await raw.getWaitingCount(), 1);
    // A worker that is killed right after it got the job.
    const silent = new Worker(queueName(), undefined, { connection: redis, lockDuration: 1 });
    await silent.getNextJob("silent:0");
    await silent.close();
    const attempt = await store.startAttempt(idOf(job), "silent:0", job.run);
    await queue.put([job, failing]);
    const lost: string[] = [];
    const onEnd = (run: string) => lost.push(run);
    const stop = startWorkers(redis, { runs, count: 1, lockTimeout: 1000, onEnd });
    await until(() => ended.has(idOf(job)) && ended.has(idOf(failing)));
    const config = completeConfig({ pipeline: "cpu", blobs: 12, steps: 1e6 });
    const endless = jobOf("sweep/endless", { config, recordGradientsEvery: 5 });
    await queue.put([endless]);
    await until(() => attemptUnderWay(runs));
    await stop();
    assert.equal(await raw.getWaitingCount(), 1, "what was stopped waits for the next worker");
    assert.ok(!lost.includes(endless.run), "and did not fail");
    await queue.withdraw([idOf(endless)]);
    await assert.rejects(
      store.commit(attempt, job.run, async () => true),
      /was given to another worker/,
    );
    assert.deepEqual(readdirSync(join(runs, "sweep")), ["endless", "seed=1"]);
    assert.equal(ended.get(idOf(job))?.length, 1);
    const [trouble] = ended.get(idOf(failing))!;
    assert.match(
      (trouble as Error).message,
      /runs has no input 00000000\. --runs must be the same folder on all machines/,
    );
    assert.equal(lost.filter((run) => run === failing.run).length, 4, "the number of attempts");
    // A job that has ended runs again if it is queued again, such as after its folder was removed.
    await queue.put([job, failing]);
    assert.equal(await raw.getWaitingCount(), 2);
    await queue.withdraw([job, failing].map(idOf));
  });

  it("ignore the jobs of another version, and fail invalid ones individually", async () => {
    const runs = join(folder, "runs");
    await new Store(runs).put(hash, readFileSync(imagePath));
    const old = "0.0.9 (00000000)";
    const others = new RedisQueue(await connect(started.address), old);
    await others.put([jobOf("sweep/seed=3")]);
    const at = { x: 0, y: 0, width: 8, height: 8 };
    const part = { part: { window: at }, size: at, blobs: "../../../outside" } as FarmJob["part"];
    const evil = [
      jobOf("../../outside"),
      jobOf("sweep/evil", { picture: "../../../outside" }),
      jobOf("sweep/evil", { folder: "../../../outside" }),
      jobOf("sweep/evil", { part }),
    ];
    for (const job of evil) await raw.add("run", job, { jobId: idOf(job) });
    for (const jobId of ["null", "text", ".."]) await raw.add("run", null, { jobId });
    await redis.hset(raw.toKey("text"), "data", "{not JSON");
    await redis.hset(raw.toKey(".."), "data", JSON.stringify(jobOf("sweep/seed=4")));
    const last = jobOf("sweep/seed=6");
    await raw.add("run", last, { jobId: idOf(last) });
    const tries: string[] = [];
    const stop = startWorkers(redis, {
      runs,
      count: 1,
      onEnd: (run, trouble = "") => tries.push(`${run}: ${trouble}`),
    });
    await until(() => ended.has(idOf(last)));
    await stop();
    const outside = (path: string, of: string) =>
      `"${path}" must be the name of a file in ${join(runs, of)}, without ".." or a leading "/".`;
    const isInvalid = "This job is invalid: its id must be the hash of its contents";
    assert.deepEqual([...new Set(tries)].sort(), [
      `../../outside: ${outside("../../outside", "")}`,
      `job null: ${isInvalid} (got "null").`,
      `job text: ${isInvalid} (got "text").`,
      `sweep/evil: ${outside("../../../outside", "")}`,
      `sweep/evil: ${outside("../../../outside", ".splatbook-farm/inputs")}`,
      `sweep/seed=4: ${isInvalid} (got "..").`,
      "sweep/seed=6: ",
    ]);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith("outside")),
      [],
    );
    assert.ok(existsSync(join(runs, "sweep", "seed=6", "run.json")));
    const waiting = new Queue(queueName(old), { connection: redis });
    assert.equal(await waiting.getWaitingCount(), 1);
    await waiting.close();
    await others.close();
  });
});

describe("splatbook worker", () => {
  it("and sweep report invalid options in one line", async () => {
    const sweep = ["sweep", imagePath, "--vary", "seed=1"];
    const outside = ["--redis", "redis://h", "--out", `${folder}/a`, "--runs", `${folder}/b`];
    const refusals: [args: string[], sentence: RegExp][] = [
      [["worker"], /^worker needs --redis and --runs, such as --redis redis:\/\/HOST:6379 --runs \/shared\/runs\.$/],
      [
        ["worker", "--redis", `unix:${folder}/none`, "--runs", folder],
        /^No Redis answers at unix:\S+none: connect ENOENT \S+none\.$/,
      ],
      [
        [...sweep, ...outside],
        /^--out must be a folder inside --runs \S+b, where workers write runs \(got "\S+a"\)\.$/,
      ],
    ];
    for (const [args, sentence] of refusals) assert.match((await refusalOf(args)).sentence, sentence);
  });
});
