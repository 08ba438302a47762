import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { type FarmJob, readResult } from "../../../src/farm/farmJob.js";
import { connect, withoutPassword } from "../../../src/farm/redis.js";
import { queueName, RedisQueue } from "../../../src/farm/redisQueue.js";
import { startWorkers } from "../../../src/farm/workers.js";
import { projectRoot } from "../../../src/host/node/install.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { hasRedis, startRedis } from "../../support/redis.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);

describe.skipIf(!hasRedis)("a Redis", () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis(join(folder, "redis"));
  });
  afterAll(() => void redis.server.kill("SIGKILL"));

  it("that refuses writes is reported by a worker, once, and by a sweep, and is used again when it accepts them", async () => {
    const connection = await connect(redis.address);
    const queue = new RedisQueue(connection);
    const config = completeConfig({ pipeline: "cpu", blobs: 12, steps: 6 });
    const job = { config, folder: "", imageName: "small.png", comparesPipelines: false };
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
    const queue = new RedisQueue(connection);
    const host = "a\u001b]0;b\u0007\u009b2J\n";
    const shown = "a\ufffd]0;b\ufffd\ufffd2J\ufffd";
    const key = `bull:${queueName()}`;
    await connection.rpush(`${key}:active`, "hostile");
    await connection.hset(`${key}:hostile`, "pb", host);
    assert.deepEqual((await queue.status(() => true)).running, { [shown]: 1 });
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
    const sweep = [
      "sweep",
      imagePath,
      "--pipeline",
      "cpu",
      "--blobs",
      "12",
      "--vary",
      "seed=1",
      "--out",
      join(folder, "no"),
    ];
    const refused = await refusalOf([...sweep, "--redis", `redis://me:w@/${password}@${host}`]);
    assert.match(refused.sentence, /^No Redis answers at redis:\/\/127\.0\.0\.1:\d+: WRONGPASS [^@]*$/);
    const without = await refusalOf([...sweep, "--redis", redis.address]);
    assert.match(without.sentence, /: NOAUTH .* Set its password in SPLATBOOK_REDIS_PASSWORD\.$/);
    vi.stubEnv("SPLATBOOK_REDIS_PASSWORD", password);
    try {
      await pings(redis.address);
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
      "me:se://cret@host": "host",
      "unix:/run/a@b": "unix:/run/a@b",
    };
    for (const [address, text] of Object.entries(shown)) assert.equal(withoutPassword(address), text);
    const bad = await refusalOf(["worker", "--runs", folder, "--redis", "redis://:sec/r@t@ho st"]);
    assert.match(bad.sentence, /^--redis must be redis:\/\/HOST:PORT, .* \(got "redis:\/\/ho st"\)\.$/);
  });
});

describe.skipIf(!hasRedis)("a Redis that does not answer", () => {
  it("does not keep Ctrl-C or SIGTERM from ending a worker and a sweep", async () => {
    const { address, server } = await startRedis(join(folder, "hanging"));
    const runs = join(folder, "hanging-runs");
    const given = ["--redis", address, "--runs", runs];
    const endless = ["--pipeline", "cpu", "--blobs", "12", "--steps", "1000000", "--record-gradients-every", "5"];
    const sweep = ["sweep", imagePath, ...endless, "--vary", "seed=1,2", ...given, "--out", join(runs, "out")];
    const script = join(projectRoot, "src", "cli", "splatbook.js");
    const children = [["worker", "--workers", "1", ...given], sweep].map((args) =>
      spawn(process.execPath, [script, ...args], { stdio: ["ignore", "ignore", "pipe"] }),
    );
    const outputs = children.map(({ stderr }) => text(stderr));
    const attempts = join(runs, "out", ".splatbook-farm", "attempts");
    try {
      await vi.waitFor(() => assert.ok(existsSync(attempts) && readdirSync(attempts).length > 0), 120_000);
      server.kill("SIGSTOP");
      for (const [i, signal] of (["SIGINT", "SIGTERM"] as const).entries()) children[i].kill(signal);
      for (const output of outputs) assert.match(await output, /\nRedis does not answer, so /);
    } finally {
      for (const child of children) child.kill("SIGKILL");
      server.kill("SIGKILL");
    }
  });
});
