import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, vi } from "vitest";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { runState } from "../../../src/engine/files/liveRun.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import type { Backend } from "../../../src/engine/pipeline.js";
import { Engines } from "../../../src/runs/engines.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { diverging } from "../../support/diverging.js";

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

  it.each([
    ["loss", "the loss"],
    ["parameters", "opacity of blob 11"],
  ] as const)("that there is a NaN in the %s, and saves the last finite state", async (part, what) => {
    const out = join(folder, `nan-${part}`);
    const open: Backend["open"] = async (...job) => diverging(await cpuBackend.open(...job), part, 30);
    const backend = { ...cpuBackend, open };
    const engine = { backend, adaptConfig: <C>(config: C) => config, isSoftware: false, close() {} };
    const of = vi.spyOn(Engines.prototype, "engineFor").mockResolvedValue(engine);
    const { code, stderr } = await fit(`nan-${part}`, "--steps", "60").finally(() => of.mockRestore());
    const { alerts, step } = describeRun(`nan-${part}`);
    const sentence = `Diverged: ${what} is NaN at step ${part === "loss" ? 30 : 60}.`;
    assert.equal(code, 3, stderr);
    assert.ok(stderr.endsWith(`${sentence}\n${sentence} Try a lower --learning-rate.\n`), stderr);
    assert.deepEqual(alerts, [{ kind: "diverged", step: part === "loss" ? 30 : 60, loss: null, sentence }]);
    assert.ok(step < 30);
    assert.equal(runState(undefined, describeRun(`nan-${part}`)), "failed");
    const verified = await splatbook(["verify", out]);
    assert.match(verified.stdout, /nan-\w+: complete at step \d+ of 60, the SHA-256 of \d files matches run\.json\n$/);
    assert.deepEqual(
      readdirSync(out).filter((name) => name.startsWith(".")),
      [],
    );
    const resumed = await splatbook(["fit", "--resume", out, "--quiet"]);
    assert.equal(resumed.code, 0, resumed.stderr);
    const finished = describeRun(`nan-${part}`);
    assert.deepEqual([finished.step, runState(undefined, finished)], [60, "finished"]);
  });
});
