import assert from "node:assert/strict";
import { type StdioOptions, spawnSync } from "node:child_process";
import { cpSync, existsSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, vi } from "vitest";
import { sha256 } from "../../../src/engine/sha256.js";
import { acquireFolder } from "../../../src/runs/claimFolder.js";
import { disk } from "../../../src/runs/disk.js";
import { refusalOf, smallImage, splatbook, splatbookProcess, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const quality = [imagePath, "--preset", "quality", "--pipeline", "cpu", "--blobs", "12", "--grow-every", "7"];
const job = [...quality, "--steps", "60", "--record-gradients-every", "20", "--quiet"];

const at = (name: string) => join(folder, name);
const bytesOf = (run: string, file: string) => readFileSync(join(run, file));
const describeRun = (run: string) => JSON.parse(bytesOf(run, "run.json").toString("utf8"));

/** An uninterrupted run. */
const whole = at("whole");
await splatbook(["fit", ...job, "--out", whole]);

/** Runs work, and sends Ctrl-C when the gradients of record `at` are written. */
async function whileStopped(record: number, work: () => Promise<unknown>): Promise<void> {
  let records = 0;
  const { write } = disk;
  const spy = vi.spyOn(disk, "write").mockImplementation((path, ...rest) => {
    if (/-gradients$/.test(path) && ++records === record) process.emit("SIGINT");
    return write(path, ...rest);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
}

describe("splatbook fit that is killed", () => {
  it("finds a plateau at the same step after a resume", async () => {
    const looking = ["fit", ...quality, "--steps", "200", "--grow-until", "0.2", "--plateau", "1", "--quiet"].concat(
      "--record-gradients-every",
      "25",
    );
    const [straight, run] = [at("straight-plateau"), at("killed-plateau")];
    await splatbook([...looking, "--out", straight]);
    const { step, plateau } = describeRun(straight);
    assert.ok(step === plateau.end && step < 200, `it ends at step ${step}`);
    // Stopped at step 50, after five checks.
    await whileStopped(2, () => splatbook([...looking, "--out", run]));
    assert.ok(describeRun(run).plateau && describeRun(run).step < step, `stopped at step ${describeRun(run).step}`);
    const { code, stderr } = await splatbook(["fit", "--resume", run, "--quiet"]);
    assert.equal(code, 0, stderr);
    for (const file of ["parameters.arrow", "optimizer.arrow", "gradients.arrow"]) {
      assert.ok(bytesOf(run, file).equals(bytesOf(straight, file)), `${file} differs`);
    }
  });

  it("has saved its last checkpoint, even if it is killed", async () => {
    const run = at("sigkill");
    const steps = ["--steps", "100000", "--checkpoint", "0.1"];
    let watcher: NodeJS.Timeout | undefined;
    const { code } = await splatbookProcess(["fit", ...quality, ...steps, "--out", run], {
      watch: (_, child) => {
        watcher ??= setInterval(() => existsSync(join(run, "run.json")) && child.kill("SIGKILL"), 5);
      },
    });
    clearInterval(watcher);
    assert.equal(code, null);
    const { stdout, stderr } = await splatbook(["verify", run, "--json"]);
    const { step } = JSON.parse(stdout);
    assert.ok(step > 0 && step < 100000, stderr);
    await (await acquireFolder(run))();
  });

  it("ends as at Ctrl-C when its terminal is closed, even if that is signalled twice", async () => {
    const run = at("hangup");
    let isSent = false;
    const { code, stderr } = await splatbookProcess(["fit", ...quality, "--steps", "100000", "--out", run], {
      watch: (output, child) => {
        if (isSent || !/^step /m.test(output)) return;
        isSent = true;
        for (const signal of ["SIGHUP", "SIGHUP"] as const) child.kill(signal);
      },
    });
    assert.equal(code, 129);
    assert.match(stderr, /Stopped at step [\d,]+ of 100,000\. Resume with: splatbook fit --resume \S+\n$/);
    assert.equal((await splatbook(["verify", run])).code, 0);
  });

  it("continues if its output has no reader", async () => {
    const run = at("unread");
    const { code } = await splatbookProcess(["fit", ...quality, "--steps", "300", "--out", run], {
      watch: (_, child) => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      },
    });
    assert.equal(code, 0);
    assert.equal(describeRun(run).step, 300);
  });
});

describe("a run folder", () => {
  it("accepts one command at a time", async () => {
    const run = at("busy");
    const release = await acquireFolder(run);
    const sentence = `${run} is being written by another splatbook (process ${process.pid}).`;
    for (const command of ["fit", "sweep"]) {
      const vary = command === "sweep" ? ["--vary", "seed=1,2"] : [];
      assert.deepEqual(await refusalOf([command, ...quality, ...vary, "--quiet", "--out", run]), { code: 1, sentence });
    }
    assert.deepEqual(await refusalOf(["fit", "--resume", run]), { code: 1, sentence });
    await release();
    assert.equal(existsSync(run), false);
  });

  it("records the SHA-256 of its files, and every command rejects another one", async () => {
    const { files } = describeRun(whole);
    const names = readdirSync(whole, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    assert.deepEqual(Object.keys(files).sort(), names.filter((name) => name !== "run.json").sort());
    for (const [name, hash] of Object.entries(files)) assert.equal(await sha256(bytesOf(whole, name)), hash);
    const run = at("damaged");
    const commands: [string, string[]][] = [
      ["blobs.splat2d", ["verify", run]],
      ["film/000016.png", ["report", run, "--out", at("no.html"), "--quiet"]],
      ["optimizer.arrow", ["fit", "--resume", run, "--steps", "70"]],
      ["parameters.arrow", ["render", run, "--out", at("no.png")]],
      ["target.png", ["export", run, "--out", at("no.splat2d")]],
      ["gradients.arrow", ["gradients", run]],
    ];
    for (const [name, command] of commands) {
      rmSync(run, { recursive: true, force: true });
      cpSync(whole, run, { recursive: true });
      const bytes = bytesOf(run, name);
      bytes[bytes.length - 20] ^= 1;
      writeFileSync(join(run, name), bytes);
      const why = `${name} is not the file that run.json describes: its SHA-256 differs.`;
      assert.deepEqual(await refusalOf(command), { code: 1, sentence: `The run ${run} cannot be used: ${why}` });
    }
  });
});

describe("splatbook fit --resume with more steps", () => {
  it("scales the schedule to the new end, and reports it", async () => {
    const run = at("stretched");
    cpSync(whole, run, { recursive: true });
    const { code, stderr } = await splatbook(["fit", "--resume", run, "--steps", "90"]);
    assert.equal(code, 0, stderr);
    assert.equal(
      stderr.split("\n")[0],
      `The learning-rate schedule of ${run} ended at step 60. It is scaled to step 90, so the result differs from a new run of 90 steps.`,
    );
    assert.deepEqual(describeRun(run).earlier, [{ step: 60, steps: 60 }]);
  });

  it("keeps the final rates of a run that an earlier version continued so", async () => {
    const [run, scaled] = ["held", "scaled"].map(at);
    for (const path of [run, scaled]) {
      cpSync(whole, path, { recursive: true });
      await whileStopped(4, () => splatbook(["fit", "--resume", path, "--steps", "500", "--quiet"]));
      assert.ok(describeRun(path).step < 500);
    }
    writeFileSync(join(run, "run.json"), JSON.stringify({ ...describeRun(run), horizon: 60 }));
    for (const path of [run, scaled]) assert.equal((await splatbook(["fit", "--resume", path, "--quiet"])).code, 0);
    assert.equal(describeRun(run).horizon, 60);
    assert.ok(!bytesOf(run, "parameters.arrow").equals(bytesOf(scaled, "parameters.arrow")));
  });
});

describe("splatbook render and export", () => {
  it("replace no file without --force", async () => {
    const outs = { render: at("there.png"), export: at("there.splat2d") };
    for (const [command, out] of Object.entries(outs)) {
      writeFileSync(out, "of another user");
      const sentence = `${out} already exists. Replace it with --force.`;
      assert.deepEqual(await refusalOf([command, whole, "--out", out]), { code: 1, sentence });
      assert.equal(readFileSync(out, "utf8"), "of another user");
      assert.equal((await splatbook([command, whole, "--out", out, "--force"])).code, 0);
      assert.ok(readFileSync(out).length > 100);
    }
  });
});

describe("splatbook where nothing can be written", { skip: process.platform !== "linux" }, () => {
  it("reports it in one sentence: a folder that does not accept files, a dangling link", async () => {
    const dangling = at("dangling.png");
    symlinkSync("nowhere.png", dangling);
    const noFiles = (path: string) => `Nothing could be written to ${path}: its folder does not accept files.`;
    const noLink = `${dangling} is a dangling link.`;
    const refusals: [args: string[], sentence: string][] = [
      [["fit", ...job, "--out", "/proc/run"], noFiles("/proc/run")],
      [["render", whole, "--out", "/proc/x.png"], noFiles("/proc/x.png")],
      [["render", whole, "--out", dangling, "--force"], noLink],
    ];
    for (const [args, sentence] of refusals) {
      assert.equal((await splatbook(args)).stderr, `${sentence}\n`, args.join(" "));
    }
  });

  it("reports it in one sentence: a full disk for stdout and temporary files", () => {
    const stdio: StdioOptions = ["ignore", openSync("/dev/full", "w"), "pipe"];
    const env = { ...process.env, TMPDIR: "/dev/full" };
    const { status, stderr } = spawnSync(process.execPath, ["src/cli/splatbook.js", "--help"], { stdio, env });
    assert.deepEqual([status, String(stderr)], [1, "Nothing could be written to stdout: the disk is full.\n"]);
  });
});
