import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { jobOf } from "../../../src/cli/fitOptions.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import type { Backend } from "../../../src/engine/pipeline.js";
import { claimFolder } from "../../../src/runs/claimFolder.js";
import { runJob } from "../../../src/runs/runJob.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { withNanLoss } from "../../support/nanLoss.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const small = ["fit", imagePath, "--pipeline", "cpu", "--blobs", "12"];
const describeRun = (run: string) => readRunDescription(readFileSync(join(folder, run, "run.json"), "utf8"));

describe("splatbook fit alerts", () => {
  it("that a run diverged: on stderr, in run.json, and by the exit code", async () => {
    const args = [
      "--learning-rate",
      "10",
      "--steps",
      "150",
      "--alert-after",
      "50",
      "--record-every",
      "7",
      "--out",
      join(folder, "diverged"),
    ];
    const { code, stdout, stderr } = await splatbook([...small, ...args]);
    assert.equal(code, 3, stderr);
    const { alerts, step } = describeRun("diverged");
    assert.deepEqual([alerts?.map(({ kind }) => kind), step], [["diverged"], 150]);
    assert.match(alerts![0].sentence, /^Diverged: the training PSNR is .* dB at step 63, after .* dB at step 1\.$/);
    assert.ok(stderr.includes(`\n${alerts![0].sentence}\n`));
    assert.match(stdout, /diverged: 150 steps in/);
  });

  it("that a run stalls, also as a line of JSON", async () => {
    const args = ["--learning-rate", "0.000001", "--steps", "60", "--alert-after", "20", "--json-lines"];
    const out = join(folder, "stalled");
    const { code, stdout, stderr } = await splatbook([...small, ...args, "--out", out]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^No progress for \d+ steps: the training PSNR is /m);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { alerts } = describeRun("stalled");
    assert.deepEqual(
      events.filter(({ event }) => event === "alert"),
      [{ event: "alert", out, image: "small.png", ...alerts![0] }],
    );
    // A resumed run keeps its alerts, and does not repeat them.
    const resumed = await splatbook(["fit", "--resume", out, "--steps", "80", "--alert-after", "20"]);
    assert.doesNotMatch(resumed.stderr, /No progress/);
    assert.equal(describeRun("stalled").alerts?.length, 1);
  });

  it("that a goal was reached", async () => {
    const args = ["--psnr", "12", "--steps", "40", "--learning-rate", "0.05", "--out", join(folder, "goal")];
    const { code, stderr } = await splatbook(["fit", imagePath, "--pipeline", "cpu", ...args]);
    assert.equal(code, 0, stderr);
    const { alerts, result } = describeRun("goal");
    assert.deepEqual(
      alerts?.map(({ kind }) => kind),
      ["goal"],
    );
    assert.match(alerts![0].sentence, new RegExp(`^Goal of 12 dB reached: .*, PSNR ${result.psnr.toFixed(2)} dB\\.$`));
    assert.ok(stderr.endsWith(`${alerts![0].sentence}\n`), stderr);
  });

  it("that the loss is NaN, and saves the last finite state", async () => {
    const out = join(folder, "nan");
    const open: Backend["open"] = async (...job) => withNanLoss(await cpuBackend.open(...job), 30);
    const engine = {
      backend: { ...cpuBackend, open },
      adaptConfig: <C>(config: C) => config,
      isSoftware: false,
      close() {},
    };
    const job = await jobOf(imagePath, { pipeline: "cpu", blobs: 12, steps: 60, out });
    const release = await claimFolder(out);
    await assert.rejects(runJob(job, engine, {}, new AbortController().signal), {
      exitCode: 3,
      message: "The loss is NaN at step 30, so the run was stopped. Try a lower --learning-rate.",
    });
    await release();
    const { alerts, step } = describeRun("nan");
    assert.deepEqual(alerts, [
      { kind: "diverged", step: 30, loss: null, sentence: "Diverged: the loss is NaN at step 30." },
    ]);
    assert.ok(step < 30);
    assert.deepEqual(
      readdirSync(out).filter((name) => name.endsWith(".tmp") || name.startsWith(".")),
      [],
    );
    assert.equal((await splatbook(["verify", out])).code, 0);
    const resumed = await splatbook(["fit", "--resume", out, "--quiet"]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(describeRun("nan").step, 60);
  });
});
