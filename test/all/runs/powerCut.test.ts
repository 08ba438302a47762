import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, vi } from "vitest";
import { disk } from "../../../src/runs/disk.js";
import { smallImage, temporaryFolder } from "../../cli/command.js";
import { Power } from "../../support/power.js";
import { PowerCuts } from "../../support/powerCuts.js";
import { runQuietly } from "../../support/runQuietly.js";

const folder = temporaryFolder();

describe("a loss of power", () => {
  it("leaves a complete run, no older than the last checkpoint, that resumes to the same bits", async () => {
    const kinds = ["fit", "resume"] as const;
    const cuts = await PowerCuts.start(folder, await smallImage(folder), runQuietly, 20, kinds);
    for (const kind of kinds) await cuts.cut(kind, 4, 3);
    assert.deepEqual(cuts.problems, []);
    assert.ok(cuts.counts["runs left"] > 5, JSON.stringify(cuts.counts));
  });
});

describe("the disk", () => {
  it("syncs the contents of a file, and the names in a folder", async () => {
    const path = join(folder, "file");
    await disk.write(path, "text", "w");
    const file = await open(path);
    const sync = vi.spyOn(Object.getPrototypeOf(file), "sync");
    await file.close();
    await disk.sync(path);
    assert.equal(sync.mock.calls.length, 1);
    await disk.syncFolder(folder);
    assert.equal(sync.mock.calls.length, 2);
    sync.mockRestore();
  });
});

describe("a disk that loses power", () => {
  it("may lose unsynced data, and nothing else", async () => {
    const root = join(folder, "disk");
    mkdirSync(root);
    writeFileSync(join(root, "old"), "of before");
    const power = new Power(root);
    await power.record(async () => {
      await disk.write(join(root, "synced"), "contents", "w");
      await disk.sync(join(root, "synced"));
      await disk.syncFolder(root);
      await disk.write(join(root, "unsynced"), "contents", "w");
      await disk.rename(join(root, "old"), join(root, "new"));
    });
    const seen = new Set<string>();
    let at = 0;
    for (const random of [() => 0, () => 0.3, () => 0.6, () => 0.8, () => 0.99]) {
      const left = join(folder, `left${at++}`);
      power.cut(power.operations, left, random);
      const names = readdirSync(left);
      assert.equal(readFileSync(join(left, "synced"), "utf8"), "contents");
      assert.equal(names.includes("old"), !names.includes("new"), "a rename is atomic");
      for (const name of names) seen.add(`${name}: ${readFileSync(join(left, name), "utf8")}`);
    }
    for (const what of ["old: of before", "new: of before", "unsynced: cont", "unsynced: conten\0\0"]) {
      assert.ok(seen.has(what), `${what} is not among ${[...seen]}`);
    }
  });
});
