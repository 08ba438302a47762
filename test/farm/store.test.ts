import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { Store } from "../../src/farm/store.js";
import { lockName } from "../../src/runs/lock.js";
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

const isWhole = async (run: string) => read(run) === "whole";

describe("a folder that workers share", () => {
  it("lets no worker commit that has lost its job, and gives its run to the next worker", async () => {
    const place = join(folder, "givenUp");
    const store = new Store(place);
    const run = join(place, "seed=1");
    const slow = await store.startAttempt("job", first, "seed=1");
    train(slow, "half");
    // It counts as alive on any machine.
    mkdirSync(join(slow, lockName));
    writeFileSync(join(slow, lockName, "1_1_elsewhere"), "");
    const quick = await store.startAttempt("job", second, "seed=1");
    assert.equal(read(quick), "half");
    assert.equal(existsSync(join(quick, lockName)), false);
    const reassigned = /^Failure: The job was given to another worker\.$/;
    await assert.rejects(store.commit(slow, "seed=1", isWhole), reassigned);
    assert.equal(existsSync(run), false);
    train(quick, "whole");
    await store.commit(quick, "seed=1", isWhole);
    await assert.rejects(store.commit(slow, "seed=1", isWhole), reassigned);
    assert.equal(read(run), "whole");
    assert.deepEqual(readdirSync(join(place, ".splatbook-farm", "attempts")), []);
  });

  it("keeps a finished run, and replaces an unfinished one", async () => {
    const place = join(folder, "twice");
    const store = new Store(place);
    for (const [before, text, after] of [
      ["whole", "second", "whole"],
      ["half", "second", "second"],
    ]) {
      const attempt = await store.startAttempt("job", first, "seed=1");
      rmSync(attempt, { recursive: true });
      train(attempt, text);
      train(join(place, "seed=1"), before);
      await store.commit(attempt, "seed=1", isWhole);
      assert.equal(read(join(place, "seed=1")), after);
      assert.equal(existsSync(attempt), false);
    }
  });

  it("gives an unfinished run to a worker", async () => {
    const store = new Store(join(folder, "parts"));
    const run = join(folder, "parts", "seed=1");
    train(run, "part");
    const attempt = await store.startAttempt("job", first, "seed=1");
    assert.equal(existsSync(run), false);
    assert.equal(read(attempt), "part");
  });

  it("reports paths outside the folder, a missing input and a full disk with a sentence", async () => {
    const store = new Store(join(folder, "refusing"));
    const without = 'without "\\.\\." or a leading "\\/"\\.$';
    const outside = new RegExp(`^Failure: "\\.\\./seed=1" must be the name of a file in \\S+refusing, ${without}`);
    assert.throws(() => store.pathOf("../seed=1"), outside);
    await assert.rejects(store.startAttempt("job", first, "../seed=1"), outside);
    await assert.rejects(store.get("../../../x"), /must be the name of a file in/);
    await assert.rejects(store.startAttempt("../../job", first, "seed=1"), /must be the name of a file in/);
    await assert.rejects(store.get("0123456789ab"), /^Failure: \S+refusing has no input 01234567\. --runs must be the/);
    const put = whileFull(
      (path) => path.includes("inputs"),
      () => store.put("ab", new Uint8Array(4)),
    );
    await assert.rejects(put, /^Failure: Nothing could be written to \S+: the disk is full\.$/);
  });
});
