import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, it } from "vitest";
import { suggestBlobCount } from "../../src/engine/training/blobCount.js";
import { decodeImage } from "../../src/host/node/imageFile.js";
import { smallImage, splatbook, temporaryFolder } from "./command.js";

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

  it("searches for the fewest blobs that reach a PSNR, and prints its attempts", async () => {
    const { code, stderr } = await fit("decibels", "--steps", "40", "--psnr", "32");
    assert.equal(code, 0, stderr);
    const { config, result, goal, attempts } = describeRun("decibels");
    assert.deepEqual(goal, { kind: "psnr", value: 32, reached: true });
    assert.ok(result.psnr >= 32, `${result.psnr} dB`);
    const fewer = attempts.filter((attempt: { blobs: number; psnr: number }) => attempt.blobs < config.blobs);
    assert.ok(attempts.length > 1 && fewer.every(({ psnr }: { psnr: number }) => psnr < 32), JSON.stringify(attempts));
    for (const { blobs } of attempts) assert.match(stderr, new RegExp(`^${blobs} blobs$`, "m"));
    assert.deepEqual(
      readdirSync(join(folder, "decibels")).filter((name) => name.endsWith(".tmp")),
      [],
    );
  });

  it("saves the closest run to an unreachable PSNR, reports it, and exits with 1", async () => {
    const { code, stderr } = await fit("far", "--steps", "3", "--psnr", "90");
    assert.equal(code, 1);
    assert.match(stderr, /The goal of 90 dB was not reached\. \S+far has the closest run\.\n$/);
    const { result, goal, attempts } = describeRun("far");
    assert.equal(goal.reached, false);
    const best = Math.max(...attempts.map(({ psnr }: { psnr: number }) => psnr));
    assert.ok(Math.abs(result.psnr - best) < 1e-9);
  });

  it("uses at most the given bits per pixel", async () => {
    const { code, stderr } = await fit("bits", "--steps", "30", "--bits-per-pixel", "2");
    assert.equal(code, 0, stderr);
    const { result, goal } = describeRun("bits");
    assert.deepEqual(goal, { kind: "bitsPerPixel", value: 2, reached: true });
    const { size } = statSync(join(folder, "bits", "blobs.splat2d"));
    assert.equal(result.file.bytes, size);
    const bitsPerPixel = (8 * size) / (72 * 48);
    assert.ok(bitsPerPixel <= 2 && bitsPerPixel > 1.7, `${bitsPerPixel} bits per pixel`);
    assert.ok(result.file.psnr > 20 && result.file.psnr <= result.psnr);
  });

  it("saves the best run so far if it is stopped in a later attempt, and reports it", async () => {
    let isStopped = false;
    const { code, stdout, stderr } = await splatbook(
      [...quick, "--steps", "40", "--psnr", "60", "--json", "--out", join(folder, "stopped")],
      {
        watch: (output) => {
          if (isStopped || (output.match(/blobs$/gm) ?? []).length < 2) return;
          isStopped = true;
          process.emit("SIGINT");
        },
      },
    );
    assert.equal(code, 130, stderr);
    const best =
      /Stopped\. The best run so far has \d+ blobs, \d+\.\d\d dB\. Resume with: splatbook fit --resume \S+\n$/;
    assert.match(stderr, best);
    const { goal, step, result } = describeRun("stopped");
    assert.deepEqual([goal.reached, JSON.parse(stdout).stopped], [false, true]);
    assert.ok(step > 0 && result.psnr > 15);
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

  it("saves the smallest possible file if a size is unreachable, and exits with 1", async () => {
    const { code, stderr } = await fit("tiny", "--steps", "5", "--bits-per-pixel", "0.001");
    assert.equal(code, 1);
    assert.match(stderr, /The goal of 0\.001 bits per pixel was not reached/);
    assert.equal(describeRun("tiny").config.blobs, 1);
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
      [["--psnr", "30", "--blobs", "50"], /^--blobs cannot be given with --psnr\.\n$/],
      [["--bits-per-pixel", "1", "--blobs", "50"], /^--blobs cannot be given with --bits-per-pixel\.\n$/],
      [["--seconds", "2", "--steps", "50"], /^--steps cannot be given with --seconds\.\n$/],
      [["--psnr", "high"], /^--psnr must be a number above 0 \(got "high"\)\.\n$/],
      [["--bits-per-pixel", "-1"], /^--bits-per-pixel must be a number above 0 \(got -1\)\.\n$/],
    ];
    for (const [args, sentence] of asked) {
      const { code, stderr } = await fit("refused", ...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, sentence);
    }
    assert.equal(existsSync(join(folder, "refused")), false);
  });
});
