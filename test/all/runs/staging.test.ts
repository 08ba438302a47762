import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, it, vi } from "vitest";
import { uniformGenerator } from "../../../src/engine/random.js";
import { acquireFolder } from "../../../src/runs/claimFolder.js";
import { lockFolder, lockName } from "../../../src/runs/lock.js";
import { candidatePaths, Staging, writeFile } from "../../../src/runs/staging.js";
import { temporaryFolder } from "../../cli/command.js";
import { Power } from "../../support/power.js";
import { whileFull } from "./faultyDisk.js";

const folder = temporaryFolder();
const names = ["run.json", "parameters.arrow", "film/000000.png"];

/** Locks a folder, and changes all of its files atomically. */
async function change(path: string, text: string): Promise<void> {
  const release = await acquireFolder(path);
  const staging = new Staging(path);
  for (const name of names) {
    await staging.write(name, `${name} ${text}`);
  }
  await staging.commit();
  await release();
}

/** Returns the contents of the files as a reader finds them. */
function read(path: string): string[] {
  return names.map((name) => {
    const found = candidatePaths(path, name).find((place) => existsSync(place));
    return found ? readFileSync(found, "utf8") : "";
  });
}

const all = (text: string) => names.map((name) => `${name} ${text}`);

describe("files that are changed atomically", () => {
  it("stay in their folder with any name", async () => {
    const path = join(folder, "within", "run");
    mkdirSync(path, { recursive: true });
    const staging = new Staging(path);
    for (const name of ["../a", "/a", join(folder, "a"), "film/../../../a", "..", ".", "", "film/", "a\0b"]) {
      const refused = /^Failure: ".*" must be the name of a file in \S+, without "\.\." or a leading "\/"\.$/;
      await assert.rejects(staging.write(name, "x"), refused, name);
    }
    assert.deepEqual([readdirSync(path), readdirSync(join(folder, "within"))], [[], ["run"]]);
    await staging.write("film/..a", "x");
    await staging.commit();
    assert.deepEqual(readdirSync(join(path, "film")), ["..a"]);
  });

  it("are all old or all new after a kill or a loss of power at any write, and can be changed again", async () => {
    const seen = { old: 0, new: 0 };
    for (const before of ["", "old"]) {
      const root = join(folder, `root${before}`);
      mkdirSync(root);
      if (before) await change(join(root, "run"), before);
      const power = new Power(root);
      let [begun, committed] = [0, 0];
      const { commit } = Staging.prototype;
      const spy = vi.spyOn(Staging.prototype, "commit").mockImplementation(async function (this: Staging) {
        begun = power.operations;
        await commit.call(this);
        committed = power.operations;
      });
      await power.record(() => change(join(root, "run"), "new"));
      spy.mockRestore();
      const old = before ? all(before) : names.map(() => "");
      for (let at = 0; at <= power.operations; at++) {
        for (const random of [undefined, uniformGenerator(at)]) {
          const cut = join(folder, "cut");
          const path = join(cut, "run");
          power.cut(at, cut, random);
          const left = read(path);
          const isNew = left[0] === "run.json new";
          seen[isNew ? "new" : "old"]++;
          assert.deepEqual(left, isNew ? all("new") : old, `read after ${at}`);
          assert.ok(at < committed || isNew, `saved at ${committed}, lost after ${at}`);
          assert.ok(at > begun || !isNew, `new before the commit, after ${at}`);
          if (existsSync(path)) {
            await (await acquireFolder(path))();
            assert.deepEqual(read(path), left, `recovered after ${at}`);
            const hidden = readdirSync(path).filter((name) => name.startsWith("."));
            assert.deepEqual(hidden, [], `nothing is left behind after ${at}`);
          }
          await change(path, "newest");
          assert.deepEqual(read(path), all("newest"), `changed again after ${at}`);
          rmSync(cut, { recursive: true });
        }
      }
    }
    assert.ok(seen.old > 40 && seen.new > 40, JSON.stringify(seen));
  });
});

describe("a folder that a command writes into", () => {
  const host = encodeURIComponent(hostname());

  it("accepts one of several commands, whether it is free or the one before was killed", async () => {
    // The lock of a process that has ended, of an id that was used again, and one that an earlier version wrote.
    const stale = [`${2 ** 22 + 1}_1_${host}`, `${process.pid}_1_${host}`, ""];
    for (const [round, owner] of [undefined, ...stale].entries()) {
      const path = join(folder, `busy${round}`);
      mkdirSync(owner ? join(path, lockName) : path, { recursive: true });
      if (owner !== undefined) writeFileSync(join(path, lockName, owner), "");
      const came = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(path)));
      const [entered, ...more] = came.flatMap((end) => (end.status === "fulfilled" ? end.value : []));
      assert.equal(more.length, 0);
      const { reason } = came.find(({ status }) => status === "rejected") as PromiseRejectedResult;
      assert.equal(reason.message, `${path} is being written by another splatbook (process ${process.pid}).`);
      await entered();
      await (await lockFolder(path))();
      assert.deepEqual(readdirSync(path), []);
    }
  });

  it("is not free if its lock is from another machine", async () => {
    const path = join(folder, "remote");
    mkdirSync(join(path, lockName), { recursive: true });
    writeFileSync(join(path, lockName, "7_1_elsewhere"), "");
    const sentence = `${path} is being written by another splatbook (process 7 on elsewhere); if it has ended, remove ${join(path, lockName)}.`;
    await assert.rejects(lockFolder(path), { message: sentence });
  });
});

describe("a single file", () => {
  it("is written atomically, and a link to it is kept", async () => {
    const [file, link, dangling] = ["file.png", "link.png", "dangling.png"].map((name) => join(folder, "single", name));
    await writeFile(file, Buffer.from("old"));
    symlinkSync("file.png", link);
    symlinkSync("nowhere.png", dangling);
    await writeFile(link, Buffer.from("new"));
    assert.equal(readFileSync(file, "utf8"), "new");
    const full = { message: `Nothing could be written to ${file}: the disk is full.` };
    await whileFull(
      () => true,
      () => assert.rejects(writeFile(file, Buffer.from("newer")), full),
    );
    await assert.rejects(writeFile(dangling, Buffer.from("x")), { message: `${dangling} is a dangling link.` });
    assert.equal(readFileSync(file, "utf8"), "new");
    assert.deepEqual(readdirSync(join(folder, "single")).sort(), ["dangling.png", "file.png", "link.png"]);
  });
});
