import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, it } from "vitest";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { suggestBlobCount } from "../../../src/engine/training/blobCount.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder, 72, 48);
const quick = ["fit", imagePath, "--preset", "quality", "--pipeline", "cpu", "--grow-every", "10"];

const fit = (out: string, ...more: string[]) => splatbook([...quick, ...more, "--out", join(folder, out)]);
const describeRun = (out: string) => JSON.parse(readFileSync(join(folder, out, "run.json"), "utf8"));

describe("splatbook fit, towards a goal", () => {
  it("stops at the first check at which the render has the PSNR, and continues as if it had never ended", async () => {
    const settings = ["--blobs", "60", "--steps", "60", "--record-every", "1"];
    const { code, stdout, stderr } = await fit("decibels", ...settings, "--psnr", "22");
    assert.equal(code, 0, stderr);
    const { step, result, goal, alerts } = describeRun("decibels");
    assert.deepEqual(goal, { kind: "psnr", value: 22, reached: true });
    assert.ok(result.psnr >= 22 && step < 60, `${result.psnr} dB at step ${step}`);
    const { rows } = readMetrics(readFileSync(join(folder, "decibels", "metrics.arrow")));
    // The loss of a row is that before its step.
    const checked = rows.filter((row) => row.step % 2 === 1 && row.step > 1);
    assert.ok(checked.every(({ psnr }) => psnr < 22));
    assert.match(stdout, new RegExp(`: 60 blobs, ${step} steps in .*PSNR ${result.psnr.toFixed(2)} dB`));
    assert.deepEqual([alerts.length, alerts[0].kind], [1, "goal"]);
    assert.match(alerts[0].sentence, new RegExp(`^Goal of 22 dB reached: .*, PSNR ${result.psnr.toFixed(2)} dB\\.$`));
    assert.ok(stderr.endsWith(`${alerts[0].sentence}\n`), stderr);

    const resume = ["fit", "--resume", join(folder, "decibels")];
    const { code: refused, sentence } = await refusalOf(resume);
    assert.deepEqual([refused, / has already taken \d+ steps\. Give a larger --steps/.test(sentence)], [2, true]);
    const more = await splatbook([...resume, "--steps", "60"]);
    assert.equal(more.code, 0, more.stderr);
    await fit("straight", ...settings);
    const [continued, straight] = ["decibels", "straight"].map((out) =>
      readFileSync(join(folder, out, "parameters.arrow")),
    );
    assert.ok(continued.equals(straight));
  });

  it("saves a run that misses its PSNR, and exits with 1; the image decides on the number of blobs", async () => {
    const { code, stderr } = await fit("far", "--steps", "3", "--psnr", "90");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /The PSNR of 90 dB was not reached in 3 steps: it is \d+\.\d\d dB\. Use more --blobs or --steps\.\n$/,
    );
    const { step, goal, config } = describeRun("far");
    assert.deepEqual([step, goal], [3, { kind: "psnr", value: 90, reached: false }]);
    assert.equal(config.blobs, suggestBlobCount(await decodeImage(imagePath)));
    assert.notEqual(config.blobs, 50);
  });

  it("keeps its PSNR when it is stopped and resumed", async () => {
    let isStopped = false;
    const args = ["--blobs", "60", "--steps", "100000", "--psnr", "60", "--out", join(folder, "stopped")];
    const { code, stderr } = await splatbook([...quick, ...args], {
      watch: (output) => {
        if (isStopped || !/^step /m.test(output)) return;
        isStopped = true;
        process.emit("SIGINT");
      },
    });
    assert.equal(code, 130, stderr);
    const description = describeRun("stopped");
    assert.deepEqual(description.goal, { kind: "psnr", value: 60, reached: false });
    const reachable = { ...description, goal: { ...description.goal, value: 10 } };
    writeFileSync(join(folder, "stopped", "run.json"), JSON.stringify(reachable));
    const resumed = await splatbook(["fit", "--resume", join(folder, "stopped"), "--quiet"]);
    assert.equal(resumed.code, 0, resumed.stderr);
    const { step, goal } = describeRun("stopped");
    assert.ok(goal.reached && step > description.step && step < 100000, `step ${step}`);
  });

  it("continues a run that an earlier version searched with", async () => {
    const old = join(folder, "old");
    await fit("old", "--blobs", "20", "--steps", "4");
    const attempts = [{ blobs: 20, psnr: 20, bitsPerPixel: 1 }];
    const goal = { kind: "bitsPerPixel", value: 1, reached: true };
    writeFileSync(join(old, "run.json"), JSON.stringify({ ...describeRun("old"), goal, attempts }));
    const { code, stderr } = await splatbook(["fit", "--resume", old, "--steps", "6"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual([describeRun("old").step, describeRun("old").goal], [6, undefined]);
  });

  it("accepts an exact fit for any PSNR", async () => {
    const black = join(folder, "black.png");
    await sharp({ create: { width: 32, height: 24, channels: 3, background: "black" } }).toFile(black);
    const args = ["fit", black, "--preset", "quality", "--pipeline", "cpu", "--steps", "8", "--psnr", "40"];
    const { code, stdout, stderr } = await splatbook([...args, "--out", join(folder, "black")]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /PSNR ∞ dB/);
    assert.deepEqual([describeRun("black").goal.reached, describeRun("black").result.psnr], [true, null]);
  });

  it("ends after the given seconds of training", async () => {
    const { code, stderr } = await fit("hurry", "--seconds", "0.2");
    assert.equal(code, 0, stderr);
    const { timings, goal, step, config } = describeRun("hurry");
    assert.deepEqual(goal, { kind: "seconds", value: 0.2, reached: true });
    assert.ok(timings.seconds >= 0.2 && step > 0 && step < config.steps, `step ${step}`);
  });

  it("rejects two goals, and options that a goal decides", async () => {
    for (const [args, sentence] of [
      [["--psnr", "30", "--seconds", "2"], "A run has one goal: --psnr or --seconds."],
      [["--seconds", "2", "--steps", "50"], "--steps cannot be given with --seconds."],
      [["--psnr", "-1"], "--psnr must be a number above 0 (got -1)."],
    ] as const) {
      assert.deepEqual(await refusalOf([...quick, ...args]), { code: 2, sentence });
    }
  });
});
