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
const fit = (out: string, ...more: string[]) =>
  splatbook(["fit", imagePath, "--pipeline", "cpu", "--blobs", "12", ...more, "--out", join(folder, out)]);
const describeRun = (run: string) => readRunDescription(readFileSync(join(folder, run, "run.json"), "utf8"));

describe("splatbook fit alerts", () => {
  it("that a run diverged: on stderr, in run.json, and by the exit code", async () => {
    const rates = ["--learning-rate", "10", "--alert-after", "20", "--record-every", "7"];
    const { code, stdout, stderr } = await fit("diverged", ...rates, "--steps", "60");
    assert.equal(code, 3, stderr);
    const { alerts, step } = describeRun("diverged");
    assert.deepEqual([alerts?.map(({ kind }) => kind), step], [["diverged"], 60]);
    assert.match(alerts![0].sentence, /^Diverged: the training PSNR is .* dB at step \d+, after .* dB at step 1\.$/);
    assert.ok(stderr.includes(`\n${alerts![0].sentence}\n`));
    assert.match(stdout, /diverged: 60 steps in/);
  });

  it("that a run stalls, also as a line of JSON, and not again after a resume", async () => {
    const rates = ["--learning-rate", "0.000001", "--alert-after", "20", "--json-lines"];
    const { code, stdout, stderr } = await fit("stalled", ...rates, "--steps", "60");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^No progress for \d+ steps: the training PSNR is /m);
    const events = stdout.trim().split("\n");
    const out = join(folder, "stalled");
    const { alerts } = describeRun("stalled");
    assert.deepEqual(
      events.map((line) => JSON.parse(line)).filter(({ event }) => event === "alert"),
      [{ event: "alert", out, image: "small.png", ...alerts![0] }],
    );
    const resumed = await splatbook(["fit", "--resume", out, "--steps", "80", "--alert-after", "20"]);
    assert.doesNotMatch(resumed.stderr, /No progress/);
    assert.equal(describeRun("stalled").alerts?.length, 1);
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
    const sentence = "Diverged: the loss is NaN at step 30.";
    assert.deepEqual(alerts, [{ kind: "diverged", step: 30, loss: null, sentence }]);
    assert.ok(step < 30);
    assert.deepEqual(
      readdirSync(out).filter((name) => name.startsWith(".")),
      [],
    );
    const resumed = await splatbook(["fit", "--resume", out, "--quiet"]);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(describeRun("nan").step, 60);
  });
});
