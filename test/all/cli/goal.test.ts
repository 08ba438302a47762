import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, it } from "vitest";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { suggestBlobCount } from "../../../src/engine/training/blobCount.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder, 72, 48);
const image = await decodeImage(imagePath);
const quick = ["fit", imagePath, "--preset", "quality", "--pipeline", "cpu", "--grow-every", "10"];

const fit = (out: string, ...more: string[]) => splatbook([...quick, ...more, "--out", join(folder, out)]);
const describeRun = (out: string) => JSON.parse(readFileSync(join(folder, out, "run.json"), "utf8"));

describe("splatbook fit, towards a goal", () => {
  it("chooses the number of blobs by the image with the preset quality", async () => {
    const { code, stdout, stderr } = await fit("plain", "--steps", "30");
    assert.equal(code, 0, stderr);
    const { config, result, goal } = describeRun("plain");
    assert.equal(config.blobs, suggestBlobCount(image));
    assert.notEqual(config.blobs, 50);
    assert.equal(goal, undefined);
    assert.match(stdout, new RegExp(`: ${config.blobs} blobs, 30 steps in .*PSNR ${result.psnr.toFixed(2)} dB`));
  });

  it("stops at the first check at which the render has the PSNR, and reports it", async () => {
    const settings = ["--blobs", "100", "--steps", "200", "--record-every", "1"];
    const { code, stdout, stderr } = await fit("decibels", ...settings, "--psnr", "30");
    assert.equal(code, 0, stderr);
    const { config, step, result, goal, alerts } = describeRun("decibels");
    assert.deepEqual(goal, { kind: "psnr", value: 30, reached: true });
    assert.deepEqual([config.blobs, step % 2], [100, 0]);
    assert.ok(result.psnr >= 30 && step < 200, `${result.psnr} dB at step ${step}`);
    const { rows } = readMetrics(readFileSync(join(folder, "decibels", "metrics.arrow")));
    // The loss of a row is that before its step.
    const checked = rows.filter((row) => row.step % 2 === 1 && row.step > 1);
    assert.ok(checked.every(({ psnr }) => psnr < 30));
    assert.match(stdout, new RegExp(`: 100 blobs, ${step} steps in .*PSNR ${result.psnr.toFixed(2)} dB`));
    assert.deepEqual([alerts.length, alerts[0].kind], [1, "goal"]);
    await fit("again", ...settings, "--psnr", "30");
    const [one, other] = ["decibels", "again"].map((out) => readFileSync(join(folder, out, "parameters.arrow")));
    assert.ok(one.equals(other), "the same step each time");

    const done = await splatbook(["fit", "--resume", join(folder, "decibels")]);
    assert.deepEqual([done.code, / has already taken \d+ steps\. Give a larger --steps/.test(done.stderr)], [2, true]);
    const more = await splatbook(["fit", "--resume", join(folder, "decibels"), "--steps", "200"]);
    assert.equal(more.code, 0, more.stderr);
    assert.equal(describeRun("decibels").step, 200);
    await fit("straight", ...settings);
    const [continued, straight] = ["decibels", "straight"].map((out) =>
      readFileSync(join(folder, out, "parameters.arrow")),
    );
    assert.ok(continued.equals(straight), "as if it had never ended");
  });

  it("saves a run that misses its PSNR, reports it, and exits with 1", async () => {
    const { code, stderr } = await fit("far", "--steps", "3", "--psnr", "90");
    assert.equal(code, 1);
    assert.match(stderr, /The PSNR of 90 dB was not reached in 3 steps\.\n$/);
    const { step, goal } = describeRun("far");
    assert.deepEqual([step, goal], [3, { kind: "psnr", value: 90, reached: false }]);
  });

  it("keeps its PSNR when it is stopped and resumed", async () => {
    let isStopped = false;
    const settings = ["--blobs", "100", "--steps", "100000", "--psnr", "60"];
    const { code, stdout, stderr } = await splatbook(
      [...quick, ...settings, "--json", "--out", join(folder, "stopped")],
      {
        watch: (output) => {
          if (isStopped || !/^step /m.test(output)) return;
          isStopped = true;
          process.emit("SIGINT");
        },
      },
    );
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Stopped at step [\d,]+ of 100,000\. Resume with: splatbook fit --resume \S+\n$/);
    assert.equal(JSON.parse(stdout).stopped, true);
    const description = describeRun("stopped");
    assert.deepEqual(description.goal, { kind: "psnr", value: 60, reached: false });
    const reachable = { ...description, goal: { ...description.goal, value: 10 } };
    writeFileSync(join(folder, "stopped", "run.json"), JSON.stringify(reachable));
    const resumed = await splatbook(["fit", "--resume", join(folder, "stopped"), "--quiet"]);
    assert.equal(resumed.code, 0, resumed.stderr);
    const { step, goal } = describeRun("stopped");
    assert.ok(goal.reached && step > description.step && step < 100000);
  });

  it("continues a run that an earlier version searched with", async () => {
    const old = join(folder, "old");
    await fit("old", "--blobs", "50", "--steps", "4");
    const description = describeRun("old");
    const attempts = [{ blobs: 50, psnr: 20, bitsPerPixel: 1 }];
    const goal = { kind: "bitsPerPixel", value: 1, reached: true };
    writeFileSync(join(old, "run.json"), JSON.stringify({ ...description, goal, attempts }));
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
    const { code, stderr } = await fit("hurry", "--seconds", "0.5");
    assert.equal(code, 0, stderr);
    const { timings, goal, step, config } = describeRun("hurry");
    assert.deepEqual(goal, { kind: "seconds", value: 0.5, reached: true });
    assert.ok(timings.seconds >= 0.5, `${timings.seconds} s`);
    assert.ok(step > 0 && config.blobs >= 1 && config.blobs <= suggestBlobCount(image));
  });

  it("rejects two goals, and options that a goal decides, and writes nothing", async () => {
    const asked: [string[], RegExp][] = [
      [["--psnr", "30", "--seconds", "2"], /^A run has one goal: --psnr or --seconds\.\n$/],
      [["--seconds", "2", "--steps", "50"], /^--steps cannot be given with --seconds\.\n$/],
      [["--psnr", "high"], /^--psnr must be a number above 0 \(got "high"\)\.\n$/],
      [["--psnr", "-1"], /^--psnr must be a number above 0 \(got -1\)\.\n$/],
    ];
    for (const [args, sentence] of asked) {
      const { code, stderr } = await fit("refused", ...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, sentence);
    }
    assert.equal(existsSync(join(folder, "refused")), false);
  });
});
