import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { Store } from "../../src/farm/store.js";
import { lockFile } from "../../src/runs/lock.js";
import { whileFull } from "../all/runs/faultyDisk.js";
import { temporaryFolder } from "../cli/command.js";

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
    const store = new Store(place);
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
    assert.equal(store.has("sweep/seed=1"), false);
    train(quick.folder, "whole");
    await quick.commit("sweep/seed=1");
    await assert.rejects(slow.commit("sweep/seed=1"), /was given to another worker/);
    assert.equal(read(join(place, "sweep", "seed=1")), "whole");
    assert.deepEqual(readdirSync(join(place, ".splatbook-farm", "attempts")), []);
  });

  it("keeps the first commit", async () => {
    const store = new Store(join(folder, "twice"));
    const early = await store.startAttempt("job", first);
    train(early.folder, "first");
    await early.commit("seed=1");
    assert.equal(store.has("seed=1"), true);
    const late = await store.startAttempt("job", second);
    train(late.folder, "second");
    await late.commit("seed=1");
    assert.equal(read(join(folder, "twice", "seed=1")), "first");
    assert.equal(existsSync(late.folder), false);
  });

  it("moves an unfinished run to a worker and back", async () => {
    const store = new Store(join(folder, "parts"));
    const run = join(folder, "parts", "seed=1");
    train(run, "part");
    await store.handOver("job", run);
    assert.equal(existsSync(run), false);
    const attempt = await store.startAttempt("job", first);
    assert.equal(attempt.hasProgress, true);
    await store.takeOver("job", run);
    assert.equal(read(run), "part");
    await assert.rejects(attempt.commit("seed=1"), /was given to another worker/);
  });

  it("reports paths outside the folder, a missing image and a full disk with a sentence", async () => {
    const store = new Store(join(folder, "refusing"));
    const without = 'without "\\.\\." or a leading "\\/"\\.$';
    const outside = new RegExp(`^Failure: "\\.\\./seed=1" must be the name of a file in \\S+refusing, ${without}`);
    assert.throws(() => store.has("../seed=1"), outside);
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
    assert.throws(
      () => new Store("s3://a/b"),
      /runs must be a folder that all machines share \(got "s3:\/\/a\/b"\)\.$/,
    );
  });
});
