import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { FolderStore } from "../../../src/cli/farm/folderStore.js";
import { openStore } from "../../../src/cli/farm/openStore.js";
import { lockFile } from "../../../src/cli/lock.js";
import { temporaryFolder } from "../command.js";
import { whileFull } from "../faultyDisk.js";

const folder = temporaryFolder();
const [first, second] = ["7f2a:0", "91bc:4"];

/** Writes what stands for a run's files. */
function train(path: string, text: string): void {
  mkdirSync(join(path, "film"), { recursive: true });
  for (const name of ["run.json", "film/000000.png"]) writeFileSync(join(path, name), text);
}

const read = (run: string) => readFileSync(join(run, "run.json"), "utf8");

describe("a folder that workers share", () => {
  it("lets no worker that was given up commit, and its successor go on from what it had", async () => {
    const place = join(folder, "givenUp");
    const store = new FolderStore(place);
    const slow = await store.begin("job", first);
    assert.equal(slow.isBegun, false);
    train(slow.folder, "half");
    // It counts as alive on whichever machine it is.
    writeFileSync(join(slow.folder, lockFile), JSON.stringify({ process: 1, host: "elsewhere" }));
    const quick = await store.begin("job", second);
    assert.equal(quick.isBegun, true);
    assert.equal(read(quick.folder), "half");
    assert.equal(existsSync(join(quick.folder, lockFile)), false);
    await assert.rejects(slow.commit("sweep/seed=1"), /^Failure: The job was given to another worker, which goes on/);
    assert.equal(await store.has("sweep/seed=1"), false);
    train(quick.folder, "whole");
    await quick.commit("sweep/seed=1");
    await assert.rejects(slow.commit("sweep/seed=1"), /was given to another worker/);
    assert.equal(read(join(place, "sweep", "seed=1")), "whole");
    assert.deepEqual(readdirSync(join(place, ".splatbook-farm", "attempts")), []);
  });

  it("keeps what was committed first", async () => {
    const store = new FolderStore(join(folder, "twice"));
    const early = await store.begin("job", first);
    train(early.folder, "first");
    await early.commit("seed=1");
    assert.equal(await store.has("seed=1"), true);
    const late = await store.begin("job", second);
    train(late.folder, "second");
    await late.commit("seed=1");
    assert.equal(read(join(folder, "twice", "seed=1")), "first");
    assert.equal(existsSync(late.folder), false);
  });

  it("brings a part of a run to a worker and back", async () => {
    const store = new FolderStore(join(folder, "parts"));
    const run = join(folder, "parts", "seed=1");
    train(run, "part");
    await store.handOver("job", run);
    assert.equal(existsSync(run), false);
    const attempt = await store.begin("job", first);
    assert.equal(attempt.isBegun, true);
    await store.takeOver("job", run);
    assert.equal(read(run), "part");
    await assert.rejects(attempt.commit("seed=1"), /was given to another worker/);
  });

  it("answers with a sentence where a run would lie elsewhere, a picture is not there, or the disk is full", async () => {
    const store = new FolderStore(join(folder, "refusing"));
    await assert.rejects(
      store.has("../seed=1"),
      /^Failure: A job asks for the folder \.\.\/seed=1, which is not in \S+refusing\.$/,
    );
    await assert.rejects(
      store.get("picture", "0123456789ab"),
      /^Failure: \S+refusing has no picture 01234567; --runs has to be the/,
    );
    const put = whileFull(
      (path) => path.includes("pictures"),
      () => store.put("picture", "ab", new Uint8Array(4)),
    );
    await assert.rejects(put, /^Failure: Nothing could be written to \S+: the disk is full\.$/);
    await assert.rejects(
      openStore("ftp://host"),
      /runs is "ftp:\/\/host", but must be a folder that all machines share, or/,
    );
  });
});

describe("a bucket that workers share", () => {
  /** What stands for S3: objects by their paths, and conditions on writing them. */
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url = "" } = request;
    const path = decodeURIComponent(url);
    const isSigned = /^AWS4-HMAC-SHA256 Credential=key\/\d+\/us-east-1\/s3\//.test(request.headers.authorization ?? "");
    const status = () => {
      if (!isSigned) return 403;
      if (method === "DELETE") return objects.delete(path) ? 204 : 404;
      if (method !== "PUT") return objects.has(path) ? 200 : 404;
      return request.headers["if-none-match"] === "*" && objects.has(path) ? 412 : 200;
    };
    response.statusCode = status();
    if (method === "PUT" && response.statusCode === 200) objects.set(path, Buffer.concat(chunks));
    response.end(method === "GET" ? objects.get(path) : undefined);
  });
  afterAll(() => server.close());

  it("keeps what was committed first, whole, and hands it out", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await assert.rejects(
      openStore("s3://bucket/x"),
      /^Failure: s3:\/\/bucket\/x needs AWS_ACCESS_KEY_ID and AWS_SECRET/,
    );
    const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
    Object.assign(process.env, keys, { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` });
    try {
      const store = await openStore("s3://bucket/some/where");
      await store.put("picture", "ab", new Uint8Array([1, 2, 3]));
      assert.deepEqual([...(await store.get("picture", "ab"))], [1, 2, 3]);
      const attempts = [await store.begin("job", first), await store.begin("job", second)];
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
      await store.removeRun("sweep/seed=1");
      assert.equal(await store.has("sweep/seed=1"), false);
      const left = [...objects.keys()].map((path) => path.slice("/bucket/some/where/".length));
      assert.deepEqual(left, ["pictures/ab.png"], "nothing of either attempt");
      await store.remove("picture", "ab");
      assert.equal(objects.size, 0);
      await assert.rejects(
        store.get("picture", "cd"),
        /^Failure: s3:\/\/bucket\/some\/where answers GET pictures\/cd\.png with 404/,
      );
    } finally {
      for (const name of [...Object.keys(keys), "AWS_ENDPOINT_URL_S3"]) delete process.env[name];
    }
  });
});
