import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { acquireFolder } from "../../../src/runs/claimFolder.js";
import { lockFile, lockFolder } from "../../../src/runs/lock.js";
import { candidatePaths, Staging, writeFile } from "../../../src/runs/staging.js";
import { temporaryFolder } from "../../cli/command.js";
import { bury, whileFull, whileKilled } from "./faultyDisk.js";

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

  it("are all old or all new wherever a command is killed, for readers and for the next command", async () => {
    const entirely = (path: string, text: string) =>
      whileKilled(Number.POSITIVE_INFINITY, path, () => change(path, text));
    const operations = await entirely(join(folder, "whole"), "new");
    assert.ok(operations > 20, `${operations} operations`);
    const seen = { old: 0, new: 0 };
    for (const isFirst of [true, false]) {
      for (let at = 0; at < operations + 4; at++) {
        const path = join(folder, `${isFirst}${at}`);
        if (!isFirst) await entirely(path, "old");
        await whileKilled(at, path, () => change(path, "new").catch(() => {}));
        if (!existsSync(path)) continue;
        const left = read(path);
        const isNew = left[0] === "run.json new";
        seen[isNew ? "new" : "old"]++;
        assert.deepEqual(left, isNew ? all("new") : isFirst ? names.map(() => "") : all("old"), `read after ${at}`);

        await (await acquireFolder(path))();
        if (existsSync(path)) {
          assert.deepEqual(read(path), left, `recovered after ${at}`);
          assert.deepEqual(
            readdirSync(path).filter((name) => name.startsWith(".")),
            [],
            `nothing is left behind after ${at}`,
          );
        }
        await entirely(path, "newest");
        assert.deepEqual(read(path), all("newest"), `changed again after ${at}`);
      }
    }
    assert.ok(seen.old > 20 && seen.new > 10, JSON.stringify(seen));
  });

  it("may be moved by several commands at the same time", async () => {
    const path = join(folder, "several");
    // Three moves, two syncs and three removals come last.
    await whileKilled(
      -9 + (await whileKilled(1e9, join(folder, "counted"), () => change(join(folder, "counted"), ""))),
      path,
      () => change(path, "new").catch(() => {}),
    );
    assert.deepEqual(read(path), all("new"));
    assert.ok(readdirSync(path).includes(".splatbook-commit"), "killed while it moved them");
    const { finishCommit: settle } = await import("../../../src/runs/staging.js");
    await Promise.all(Array.from({ length: 8 }, () => settle(path)));
    assert.deepEqual(read(path), all("new"));
    assert.deepEqual(readdirSync(path).sort(), [lockFile, "film", "parameters.arrow", "run.json"]);
  });
});

describe("a folder that a command writes into", () => {
  const other = (owner: object) => JSON.stringify({ process: process.pid, host: hostname(), ...owner });

  it("accepts one of several concurrent commands", async () => {
    const path = join(folder, "busy");
    mkdirSync(path);
    const came = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(path)));
    const entered = came.filter(({ status }) => status === "fulfilled") as PromiseFulfilledResult<
      () => Promise<void>
    >[];
    assert.equal(entered.length, 1);
    const refused = came.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    assert.equal(refused.reason.message, `${path} is being written by another splatbook (process ${process.pid}).`);
    await entered[0].value();
    await (await lockFolder(path))();
    assert.deepEqual(readdirSync(path), []);
  });

  it("accepts one of several commands after another was killed", async () => {
    for (let round = 0; round < 20; round++) {
      const path = join(folder, `killed${round}`);
      mkdirSync(path);
      await lockFolder(path);
      bury(path);
      const came = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(path)));
      assert.equal(came.filter(({ status }) => status === "fulfilled").length, 1);
    }
  });

  it("is free if its lock has a reused process id or no owner", {
    skip: process.platform !== "linux",
  }, async () => {
    const path = join(folder, "again");
    mkdirSync(path);
    for (const text of [other({ began: "1" }), ""]) {
      writeFileSync(join(path, lockFile), text);
      utimesSync(join(path, lockFile), 0, 0);
      await (await lockFolder(path))();
    }
  });

  it("is not free if its lock is from another machine", async () => {
    const path = join(folder, "remote");
    mkdirSync(path);
    writeFileSync(join(path, lockFile), other({ process: 7, host: "elsewhere" }));
    const sentence = `${path} is being written by another splatbook (process 7 on elsewhere); if it has ended, remove ${join(path, lockFile)}.`;
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
