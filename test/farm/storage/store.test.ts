import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { FolderStore } from "../../../src/farm/storage/folderStore.js";
import { openStore } from "../../../src/farm/storage/openStore.js";
import { disk } from "../../../src/runs/disk.js";
import { lockFile } from "../../../src/runs/lock.js";
import { temporaryFolder } from "../../cli/command.js";
import { whileFull } from "../../runs/faultyDisk.js";
import { type Fault, startS3 } from "../../support/s3.js";

const folder = temporaryFolder();
const [first, second] = ["7f2a:0", "91bc:4"];

/** Writes the files of a simulated run. */
function train(path: string, text: string): void {
  mkdirSync(join(path, "film"), { recursive: true });
  for (const name of ["run.json", "film/000000.png"]) writeFileSync(join(path, name), text);
}

const read = (run: string) => readFileSync(join(run, "run.json"), "utf8");

describe("a folder that workers share", () => {
  it("lets no worker commit that has lost its job, and gives its run to the next worker", async () => {
    const place = join(folder, "givenUp");
    const store = new FolderStore(place);
    const slow = await store.startAttempt("job", first);
    assert.equal(slow.hasProgress, false);
    train(slow.folder, "half");
    // It counts as alive on any machine.
    writeFileSync(join(slow.folder, lockFile), JSON.stringify({ process: 1, host: "elsewhere" }));
    const quick = await store.startAttempt("job", second);
    assert.equal(quick.hasProgress, true);
    assert.equal(read(quick.folder), "half");
    assert.equal(existsSync(join(quick.folder, lockFile)), false);
    await assert.rejects(slow.commit("sweep/seed=1"), /^Failure: The job was given to another worker\.$/);
    assert.equal(await store.has("sweep/seed=1"), false);
    train(quick.folder, "whole");
    await quick.commit("sweep/seed=1");
    await assert.rejects(slow.commit("sweep/seed=1"), /was given to another worker/);
    assert.equal(read(join(place, "sweep", "seed=1")), "whole");
    assert.deepEqual(readdirSync(join(place, ".splatbook-farm", "attempts")), []);
  });

  it("keeps the first commit", async () => {
    const store = new FolderStore(join(folder, "twice"));
    const early = await store.startAttempt("job", first);
    train(early.folder, "first");
    await early.commit("seed=1");
    assert.equal(await store.has("seed=1"), true);
    const late = await store.startAttempt("job", second);
    train(late.folder, "second");
    await late.commit("seed=1");
    assert.equal(read(join(folder, "twice", "seed=1")), "first");
    assert.equal(existsSync(late.folder), false);
  });

  it("moves an unfinished run to a worker and back", async () => {
    const store = new FolderStore(join(folder, "parts"));
    const run = join(folder, "parts", "seed=1");
    train(run, "part");
    await store.handOver("job", "seed=1", run);
    assert.equal(existsSync(run), false);
    const attempt = await store.startAttempt("job", first);
    assert.equal(attempt.hasProgress, true);
    await store.takeOver("job", run);
    assert.equal(read(run), "part");
    await assert.rejects(attempt.commit("seed=1"), /was given to another worker/);
  });

  it("reports paths outside the folder, a missing image and a full disk with a sentence", async () => {
    const store = new FolderStore(join(folder, "refusing"));
    const without = 'without "\\.\\." or a leading "\\/"\\.$';
    const outside = new RegExp(`^Failure: "\\.\\./seed=1" must be the name of a file in \\S+refusing, ${without}`);
    await assert.rejects(store.has("../seed=1"), outside);
    await assert.rejects(store.get("image", "../../../x"), /must be the name of a file in/);
    await assert.rejects(store.startAttempt("../../job", first), /must be the name of a file in/);
    await assert.rejects(
      store.get("image", "0123456789ab"),
      /^Failure: \S+refusing has no image 01234567\. --runs must be the/,
    );
    const put = whileFull(
      (path) => path.includes("pictures"),
      () => store.put("image", "ab", new Uint8Array(4)),
    );
    await assert.rejects(put, /^Failure: Nothing could be written to \S+: the disk is full\.$/);
    await assert.rejects(
      openStore("ftp://host"),
      /runs must be a folder that all machines share, or s3:\/\/BUCKET\/PREFIX \(got "ftp:\/\/host"\)\.$/,
    );
  });
});

describe("a bucket that workers share", async () => {
  /** Failures of the next requests, by the start of their method and path. */
  let faults: [begins: string, fault: Fault | (() => Fault)][] = [];
  const s3 = await startS3((method, path) => {
    const at = faults.findIndex(([begins]) => `${method} ${path}`.startsWith(begins));
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0][1];
    return typeof fault === "function" ? fault() : fault;
  });
  const { objects } = s3;
  const within = (name: string) => `/bucket/some/where/${name}`;
  beforeAll(() => {
    const environment = { ...s3.environment, TMPDIR: folder };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    s3.stop();
  });

  it("keeps the first commit, complete, and serves it", async () => {
    const store = await openStore("s3://bucket/some/where");
    await store.put("image", "ab", new Uint8Array([1, 2, 3]));
    assert.deepEqual([...(await store.get("image", "ab"))], [1, 2, 3]);
    const attempts = [await store.startAttempt("job", first), await store.startAttempt("job", second)];
    for (const [i, attempt] of attempts.entries()) train(attempt.folder, `by ${i}`);
    assert.equal(await store.has("sweep/seed=1"), false);
    await attempts[1].commit("sweep/seed=1");
    await attempts[0].commit("sweep/seed=1");
    assert.equal(await store.has("sweep/seed=1"), true);
    const run = join(folder, "fetched", "seed=1");
    train(run, "a part of it");
    writeFileSync(join(run, "old.png"), "of that part");
    await store.fetch("sweep/seed=1", run);
    assert.equal(read(run), "by 1");
    assert.equal(readFileSync(join(run, "film", "000000.png"), "utf8"), "by 1");
    assert.deepEqual(readdirSync(run).sort(), ["film", "run.json"]);
    assert.deepEqual(readdirSync(join(folder, "fetched")), ["seed=1"]);
    assert.deepEqual(
      attempts.map((attempt) => existsSync(attempt.folder)),
      [false, false],
    );
    await store.handOver("next", "sweep/seed=1", run);
    assert.equal(await store.has("sweep/seed=1"), false);
    const next = await store.startAttempt("next", first);
    assert.deepEqual(
      [await store.fetchPaused("other", next.folder), await store.fetchPaused("next", next.folder)],
      [false, true],
    );
    assert.equal(read(next.folder), "by 1", "a paused run continues on any machine");
    await next.commit("sweep/seed=1");
    await store.removeRun("sweep/seed=1");
    assert.equal(await store.has("sweep/seed=1"), false);
    assert.deepEqual([...objects.keys()], [within("pictures/ab.png")], "nothing of either attempt");
    await store.remove("image", "ab");
    assert.equal(objects.size, 0);
    await assert.rejects(
      store.get("image", "cd"),
      /^Failure: s3:\/\/bucket\/some\/where answers GET pictures\/cd\.png with 404/,
    );
  });

  it("allows no paths outside, in objects or jobs", async () => {
    const store = await openStore("s3://bucket/some/where");
    const lists = [
      { place: "attempts/a", files: ["../../outside.json"] },
      { place: "attempts/a", files: [join(folder, "outside.json")] },
      { place: "attempts/../../outside", files: ["run.json"] },
      { place: "pictures", files: ["run.json"] },
      { place: "attempts/a", files: [1] },
      [],
    ];
    objects.set(within("attempts/a/run.json"), Buffer.from("{}"));
    for (const list of lists) {
      objects.set(within("runs/evil.json"), Buffer.from(JSON.stringify(list)));
      const refused = /^Failure: runs\/evil\.json of s3:\/\/bucket\/some\/where must list the files of a run \(got /;
      await assert.rejects(store.fetch("evil", join(folder, "in", "evil")), refused);
      await assert.rejects(store.removeRun("evil"), refused);
    }
    assert.deepEqual([existsSync(join(folder, "in")), existsSync(join(folder, "outside.json"))], [false, false]);
    objects.set("/bucket/some/runs/outside.json", Buffer.from("{}"));
    const key = /^Failure: "runs\/\.\.\/\.\.\/runs\/outside\.json" is not a valid key in s3:/;
    await assert.rejects(store.has("../../runs/outside"), key);
    await assert.rejects(store.get("image", "../../pictures/x"), /is not a valid key/);
  });

  it("is retried if a connection ends, even in the middle of a file, and for 409, 429 and 5xx", async () => {
    const store = await openStore("s3://bucket/some/where");
    const run = join(folder, "hiccup", "seed=2");
    const attempt = await store.startAttempt("hiccup", first);
    train(attempt.folder, "x".repeat(100_000));
    const of = (name: string) => within(`attempts/hiccup.7f2a-0/${name}`);
    const list = within("runs/hiccup/seed=2.json");
    faults = [
      [`PUT ${of("run.json")}`, "reset"],
      [`PUT ${of("run.json")}`, 503],
      [`PUT ${of("film/")}`, 429],
      [`PUT ${list}`, 409],
      [`PUT ${list}`, "reset"],
      [`HEAD ${list}`, 500],
      [`GET ${list}`, "reset"],
      [`GET ${of("run.json")}`, "reset"],
      [`GET ${of("film/")}`, 502],
    ];
    await attempt.commit("hiccup/seed=2");
    assert.equal(await store.has("hiccup/seed=2"), true);
    await store.fetch("hiccup/seed=2", run);
    assert.deepEqual(faults, [], "each came");
    assert.equal(read(run), "x".repeat(100_000));
    assert.deepEqual(readdirSync(join(folder, "hiccup")), ["seed=2"]);
    assert.equal(existsSync(attempt.folder), false);
    await store.removeRun("hiccup/seed=2");
  });

  it("is not retried after a stop, a first failure or a refusal", async () => {
    const store = await openStore("s3://bucket/some/where");
    faults = [["HEAD ", 403]];
    await assert.rejects(store.has("seed=3"), /^Failure: .* answers HEAD runs\/seed=3\.json with 403 Forbidden\.$/);
    await store.has("seed=3");
    faults = Array.from({ length: 50 }, () => ["HEAD ", 503]);
    const start = performance.now();
    const stopped = store.withSignal(AbortSignal.timeout(200)).has("seed=3");
    await assert.rejects(stopped, /^Failure: .* answers HEAD runs\/seed=3\.json with 503 Service Unavailable\.$/);
    assert.ok(performance.now() - start < 10_000);
    assert.ok(faults.length > 40, "with pauses");
    faults = [];
    vi.stubEnv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:65534");
    const nowhere = await openStore("s3://bucket/some/where");
    await assert.rejects(
      nowhere.has("seed=3"),
      /^Failure: s3:\/\/bucket\/some\/where cannot be reached: .*ECONNREFUSED/,
    );
    vi.stubEnv("AWS_ENDPOINT_URL_S3", s3.environment.AWS_ENDPOINT_URL_S3);
  });

  it("ends pending requests some seconds after a stop", async () => {
    const store = await openStore("s3://bucket/some/where");
    await store.has("seed=3");
    faults = [["HEAD ", "silence"]];
    const stop = new AbortController();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      const asked = store.withSignal(stop.signal).has("seed=3");
      await vi.waitFor(() => assert.deepEqual(faults, []));
      // Garbage collection must not remove the abort listener of a pending request.
      setFlagsFromString("--expose-gc");
      runInNewContext("gc")();
      await setImmediate();
      runInNewContext("gc")();
      stop.abort();
      vi.advanceTimersByTime(20_000);
      await assert.rejects(asked, /^Failure: s3:\/\/bucket\/some\/where cannot be reached: no answer\.$/);
    } finally {
      vi.useRealTimers();
    }
  });

  it("sends files of more than 2 GiB, and writes downloads piece by piece", async () => {
    const store = await openStore("s3://bucket/some/where");
    const attempt = await store.startAttempt("large", first);
    const file = join(attempt.folder, "gradients.arrow");
    const put = within("attempts/large.7f2a-0/gradients.arrow");
    writeFileSync(file, "");
    truncateSync(file, 2 ** 31 + 1);
    const bytes = randomBytes(2 ** 23);
    // Sending all of it takes a while, so the next attempt sends less.
    const shorten = (): Fault => {
      writeFileSync(file, bytes);
      return "reset";
    };
    faults = [[`PUT ${put}`, shorten]];
    await attempt.commit("large");
    const sizes = s3.puts.filter(([path]) => path === put).map(([, size]) => size);
    assert.deepEqual(sizes, [2 ** 31 + 1, 2 ** 23]);
    const write = vi.spyOn(disk, "write");
    await store.fetch("large", join(folder, "large"));
    const pieces = write.mock.calls.map(([, bytes]) => bytes.length);
    write.mockRestore();
    assert.ok(Math.max(...pieces) < 2 ** 21, `pieces of ${Math.max(...pieces)} bytes`);
    assert.ok(readFileSync(join(folder, "large", "gradients.arrow")).equals(bytes));
    await store.removeRun("large");
  });

  it("removes the attempt of a stopped worker, and that of one killed a day ago", async () => {
    const store = await openStore("s3://bucket/some/where");
    const stopped = await store.startAttempt("stopped", first);
    train(stopped.folder, "half");
    await stopped.leave();
    const killed = await store.startAttempt("killed", first);
    train(killed.folder, "half");
    const again = await store.startAttempt("killed", second);
    assert.deepEqual(
      [again.hasProgress, read(again.folder)],
      [true, "half"],
      "the next worker on this machine continues",
    );
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(again.folder, yesterday, yesterday);
    const other = await store.startAttempt("other", first);
    assert.deepEqual(readdirSync(dirname(other.folder)), [basename(other.folder)]);
    await other.discard();
  });

  it("reports missing keys in the environment", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "");
    const sentence = /^Failure: s3:\/\/bucket\/x needs AWS_ACCESS_KEY_ID and AWS_SECRET/;
    await assert.rejects(openStore("s3://bucket/x"), sentence);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
  });
});
