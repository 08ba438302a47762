import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { codeVersion, type FarmJob, readResult } from "../../../src/farm/farmJob.js";
import { JobQueue, queueName } from "../../../src/farm/queue.js";
import { connect, withoutPassword } from "../../../src/farm/redis.js";
import { startWorkers } from "../../../src/farm/workers.js";
import { projectRoot } from "../../../src/host/node/install.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { hasRedis } from "../../support/redis.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);

/** Starts a redis-server that is not restarted. */
async function startRedis(name: string): Promise<{ address: string; server: ChildProcess }> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  const dir = join(folder, name);
  mkdirSync(dir);
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", dir];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] });
  for await (const text of server.stdout!) if (/ready to accept connections/i.test(String(text))) break;
  return { address: `redis://127.0.0.1:${port}`, server };
}

describe.skipIf(!hasRedis)("a Redis", () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis("redis");
  });
  afterAll(() => void redis.server.kill("SIGKILL"));

  it("that refuses writes is reported by a worker, once, and by a sweep, and is used again when it accepts them", async () => {
    const connection = await connect(redis.address);
    const queue = new JobQueue(connection);
    const config = completeConfig({ pipeline: "cpu", blobs: 12, steps: 6 });
    const job = { version: codeVersion(), config, imageName: "small.png", comparesPipelines: false };
    await queue.put([{ ...job, picture: "0".repeat(64), run: "none" } as FarmJob]);
    await connection.config("SET", "maxmemory", "1");
    const refusals: string[] = [];
    let tries = 0;
    const onEnd = () => void tries++;
    const onRefusal = (refusal: string) => void refusals.push(refusal);
    const stop = startWorkers(await connect(redis.address), { runs: folder, count: 1, onEnd, onRefusal });
    const sentence = "Redis refused a command: OOM command not allowed when used memory > 'maxmemory'.";
    await vi.waitFor(() => assert.deepEqual(refusals, [sentence]), 60_000);
    const sweep = ["sweep", imagePath, "--pipeline", "cpu", "--blobs", "12", "--vary", "seed=1", "--quiet"];
    const outcome = await splatbook([...sweep, "--redis", redis.address, "--out", join(folder, "refused")]);
    assert.deepEqual([outcome.code, outcome.stderr], [1, `${sentence}\n`]);
    assert.equal(refusals.length, 1, "for any number of attempts");
    await connection.config("SET", "maxmemory", "0");
    await vi.waitFor(() => assert.ok(tries > 0), 60_000);
    await stop();
    await queue.close();
  });

  it("shows host names without control characters", async () => {
    const connection = await connect(redis.address);
    const queue = new JobQueue(connection);
    const host = "a\u001b]0;b\u0007\u009b2J\n";
    const shown = "a\ufffd]0;b\ufffd\ufffd2J\ufffd";
    const key = `bull:${queueName(codeVersion())}`;
    await connection.rpush(`${key}:active`, "hostile");
    await connection.hset(`${key}:hostile`, "pb", host);
    assert.deepEqual(await queue.running(), { [shown]: 1 });
    await connection.del(`${key}:active`, `${key}:hostile`);
    await queue.close();
    assert.deepEqual(readResult({ host, refused: host }), { host: shown, refused: shown });
    for (const answer of [undefined, null, 1, {}, { host: 1 }, { host: "a", refused: {} }]) {
      assert.match(String(readResult(answer)), /^Error: The result of the worker is invalid: /);
    }
  });

  it("accepts any password from the address or the environment, and no message shows it", async () => {
    const password = "s@cr/t:#?%";
    const own = await connect(redis.address);
    await own.config("SET", "requirepass", password);
    const host = redis.address.slice("redis://".length);
    const address = `redis://:${password}@${host}`;
    const pings = async (...given: Parameters<typeof connect>) => {
      const connection = await connect(...given);
      assert.equal(await connection.ping(), "PONG");
      connection.disconnect();
    };
    await pings(address);
    await pings(`redis://default:${encodeURIComponent(password)}@${host}/0`);
    const refused = await refusalOf(["sweep", "--status", "--redis", `redis://me:w@/${password}@${host}`]);
    assert.match(refused.sentence, /^No Redis answers at redis:\/\/127\.0\.0\.1:\d+: WRONGPASS [^@]*$/);
    const without = await refusalOf(["sweep", "--status", "--redis", redis.address]);
    assert.match(without.sentence, /: NOAUTH .* Set its password in SPLATBOOK_REDIS_PASSWORD\.$/);
    vi.stubEnv("SPLATBOOK_REDIS_PASSWORD", password);
    try {
      await pings(redis.address);
      assert.equal((await splatbook(["sweep", "--status", "--redis", redis.address])).code, 0);
    } finally {
      vi.unstubAllEnvs();
      await own.config("SET", "requirepass", "");
      own.disconnect();
    }
  });
});

describe("an address of Redis", () => {
  it("is shown without everything before its last @", async () => {
    const shown: Record<string, string> = {
      "redis://host:6379": "redis://host:6379",
      "redis://me:a@b/c@host:6379/1": "redis://host:6379/1",
      "rediss://:a/b@host": "rediss://host",
      "http://me:secret@host": "http://host",
      "me:se://cret@host": "host",
      "unix:/run/a@b": "unix:/run/a@b",
    };
    for (const [address, text] of Object.entries(shown)) assert.equal(withoutPassword(address), text);
    const bad = await refusalOf(["worker", "--runs", folder, "--redis", "redis://:sec/r@t@ho st"]);
    assert.match(bad.sentence, /^--redis must be redis:\/\/HOST:PORT, .* \(got "redis:\/\/ho st"\)\.$/);
  });

  it("is in manifests without its password, which comes from the environment", async () => {
    const given = ["worker", "--redis", "redis://me:a@b/c@host", "--runs", "/shared"];
    const slurm = (await splatbook([...given, "--manifest", "slurm"])).stdout;
    assert.match(slurm, /SPLATBOOK_REDIS_PASSWORD/);
    assert.match(slurm, /--redis 'redis:\/\/host' /);
    const kubernetes = (await splatbook([...given, "--manifest", "kubernetes"])).stdout;
    assert.match(
      kubernetes,
      /\n {12}- name: SPLATBOOK_REDIS_PASSWORD\n {14}valueFrom: \{secretKeyRef: \{name: splatbook-redis, key: password\}\}\n/,
    );
    for (const text of [slurm, kubernetes]) assert.doesNotMatch(text, /a@b|me:a/);
    const open = await splatbook(["worker", "--redis", "redis://host", "--runs", "/shared", "--manifest", "slurm"]);
    assert.doesNotMatch(open.stdout, /PASSWORD/);
  });
});

describe.skipIf(!hasRedis)("a Redis that does not answer", () => {
  it("does not keep Ctrl-C or SIGTERM from ending a worker, a sweep and a fit within ten seconds", async () => {
    const [hanging, gone] = await Promise.all([startRedis("hanging"), startRedis("gone")]);
    const script = join(projectRoot, "src", "cli", "splatbook.js");
    let signalled = 0;
    const start = (signal: NodeJS.Signals, args: string[]) => {
      const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "ignore", "pipe"] });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text) => {
        stderr += text;
      });
      const ended = once(child, "close").then(() => ({ seconds: (performance.now() - signalled) / 1000, stderr }));
      return { child, signal, ended };
    };
    const asked = [
      imagePath,
      "--pipeline",
      "cpu",
      "--blobs",
      "12",
      "--steps",
      "1000000",
      "--record-gradients-every",
      "5",
    ];
    const isUnderWay = (runs: string) => {
      const attempts = join(runs, ".splatbook-farm", "attempts");
      return existsSync(attempts) && readdirSync(attempts).length > 0;
    };
    const runs = (name: string) => join(folder, `${name}-runs`);
    const of = ({ address }: { address: string }, name: string) => ["--redis", address, "--runs", runs(name)];
    const out = (name: string) => ["--out", join(runs(name), "out")];
    const large = ["fit", imagePath, "--preset", "quality", "--pipeline", "cpu", "--blobs", "12", "--steps", "1000000"];
    const commands = [
      start("SIGINT", ["worker", "--workers", "1", ...of(hanging, "hanging")]),
      start("SIGTERM", ["worker", "--workers", "1", ...of(gone, "gone")]),
      start("SIGTERM", ["sweep", ...asked, "--vary", "seed=1,2", ...of(hanging, "hanging"), ...out("hanging")]),
      start("SIGINT", [...large, "--region-size", "64", ...of(gone, "gone"), ...out("gone")]),
    ];
    try {
      await vi.waitFor(() => assert.ok(isUnderWay(runs("hanging")) && isUnderWay(runs("gone"))), 120_000);
      hanging.server.kill("SIGSTOP");
      gone.server.kill("SIGKILL");
      await once(gone.server, "exit");
      signalled = performance.now();
      for (const { child, signal } of commands) child.kill(signal);
      const ended = await Promise.race([Promise.all(commands.map((command) => command.ended)), wait(30_000)]);
      assert.ok(ended, "all have ended");
      for (const { seconds, stderr } of ended) {
        assert.ok(seconds < 10, `${seconds} seconds`);
        assert.match(stderr, /\nRedis does not answer, so /);
      }
    } finally {
      for (const { child } of commands) child.kill("SIGKILL");
      for (const { server } of [hanging, gone]) server.kill("SIGKILL");
    }
  });
});
