import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, vi } from "vitest";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import { acquireFolder } from "../../../src/runs/claimFolder.js";
import { disk } from "../../../src/runs/disk.js";
import { candidatePaths, Staging } from "../../../src/runs/staging.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { Power } from "../../support/power.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const quality = [imagePath, "--preset", "quality", "--pipeline", "cpu", "--blobs", "12", "--grow-every", "7"];
const steps = 60;
const fit = ["fit", ...quality, "--steps", `${steps}`, "--record-gradients-every", "10", "--quiet"];
/** A checkpoint after each batch of steps. */
const often = ["--checkpoint", "0.001"];

function stepOf(run: string): number {
  const path = candidatePaths(run, "run.json").find(existsSync);
  return path === undefined ? 0 : JSON.parse(readFileSync(path, "utf8")).step;
}

/** Asserts that two runs have the same files, except for durations. */
function assertSame(run: string, expected: string): void {
  assert.deepEqual(readdirSync(run).sort(), readdirSync(expected).sort());
  for (const file of ["parameters.arrow", "optimizer.arrow", "gradients.arrow", "render.png", "blobs.splat2d"]) {
    assert.ok(readFileSync(join(run, file)).equals(readFileSync(join(expected, file))), `${file} differs`);
  }
  const [rows, others] = [run, expected].map((path) =>
    readMetrics(readFileSync(join(path, "metrics.arrow"))).rows.map(({ seconds: _, ...row }) => row),
  );
  assert.deepEqual(rows, others);
}

/** Runs a command on a folder, and returns the recorded disk with the step of each commit. */
async function record(root: string, args: string[]) {
  const power = new Power(root);
  const commits: { operations: number; step: number }[] = [];
  const { commit } = Staging.prototype;
  const spy = vi.spyOn(Staging.prototype, "commit").mockImplementation(async function (this: Staging) {
    await commit.call(this);
    commits.push({ operations: power.operations, step: stepOf(this.folder) });
  });
  const { code, stderr } = await power.record(() => splatbook(args));
  spy.mockRestore();
  assert.equal(code, 0, stderr);
  return { power, commits };
}

describe("a run that is killed, or loses power,", () => {
  const half = join(folder, "half");
  const jobs: [name: string, command: (run: string) => string[], prepare: (run: string) => Promise<unknown>][] = [
    ["fitted", (run) => [...fit, ...often, "--out", run], async () => {}],
    [
      "resumed with more steps",
      (run) => ["fit", "--resume", run, "--steps", `${steps + 20}`, ...often, "--quiet"],
      async (run) => {
        if (!existsSync(half)) await splatbook([...fit, "--out", half]);
        cpSync(half, run, { recursive: true });
      },
    ],
  ];
  for (const [name, command, prepare] of jobs) {
    it(`while it is ${name}, keeps its last checkpoint, and resumes to the same bits`, async () => {
      const [root, whole] = ["root", "whole"].map((kind) => join(folder, `${kind} ${name}`));
      mkdirSync(root);
      for (const run of [join(root, "run"), whole]) await prepare(run);
      await splatbook(command(whole).filter((word) => !often.includes(word)));
      const { power, commits } = await record(root, command(join(root, "run")));
      assert.ok(commits.length > 1, `${commits.length} checkpoints`);
      const random = uniformGenerator(3);
      for (let i = 0; i < 6; i++) {
        const left = join(folder, `left ${name}`);
        const run = join(left, "run");
        const at = Math.floor((power.operations * (i + 0.5)) / 6);
        power.cut(at, left, i % 2 ? random : undefined);
        const saved = commits.findLast(({ operations }) => operations <= at)?.step ?? 0;
        assert.ok(stepOf(run) >= saved, `step ${stepOf(run)} is left of ${saved}`);
        if (existsSync(run)) await (await acquireFolder(run))();
        if (stepOf(run) > 0) {
          const verified = await splatbook(["verify", run]);
          assert.equal(verified.code, 0, verified.stderr);
        }
        if (stepOf(run) !== stepOf(whole)) {
          const isBegun = stepOf(run) > 0 && name === "fitted";
          const again = await splatbook(isBegun ? ["fit", "--resume", run, "--quiet"] : command(run));
          assert.equal(again.code, 0, again.stderr);
        }
        assertSame(run, whole);
        rmSync(left, { recursive: true });
      }
    });
  }
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

describe("a simulated disk that loses power", () => {
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
    for (const value of [0, 0.3, 0.6, 0.8, 0.99]) {
      const left = join(folder, `left${value}`);
      power.cut(power.operations, left, () => value);
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
