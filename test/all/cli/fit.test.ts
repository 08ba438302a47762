import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { readGradients, readMetrics, readParameters } from "../../../src/engine/files/arrow.js";
import { frameFile } from "../../../src/engine/files/runFiles.js";
import { decodeSplat2d } from "../../../src/engine/files/splat2d/splat2d.js";
import { psnr } from "../../../src/engine/image/metrics.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { smallImage, splatbook, splatbookProcess, temporaryFolder } from "../../cli/command.js";
import { renderOnCpu } from "../../support/renderOnCpu.js";
import { softwareAdapterEnvironment } from "../../support/softwareAdapter.js";
import { whileFull } from "../runs/faultyDisk.js";

const folder = temporaryFolder();
const imagePath = await smallImage(folder);
const small = [imagePath, "--pipeline", "cpu", "--blobs", "12"];
const runFiles = [
  "blobs.splat2d",
  "film",
  "gradients.arrow",
  "metrics.arrow",
  "optimizer.arrow",
  "parameters.arrow",
  "render.png",
  "run.json",
  "target.png",
];

/** A finished run for several tests: 20 steps, gradients every 5. */
const whole = join(folder, "whole");
const fitted = await splatbook(["fit", ...small, "--steps", "20", "--record-gradients-every", "5", "--out", whole]);

const bytesOf = (run: string, file: string) => readFileSync(join(run, file));
const describeRun = (run: string) => JSON.parse(bytesOf(run, "run.json").toString("utf8"));

describe("splatbook fit", () => {
  it("writes a folder with exactly the files of a run", () => {
    assert.equal(fitted.code, 0, fitted.stderr);
    assert.deepEqual(readdirSync(whole).sort(), runFiles);
  });

  it("prints the result to stdout, and the progress to stderr", () => {
    const { result } = describeRun(whole);
    const [, psnrShown] = /^\S+whole: 20 steps in \d+ s, PSNR (\d+\.\d\d) dB; blobs\.splat2d: /.exec(fitted.stdout)!;
    assert.equal(psnrShown, result.psnr.toFixed(2));
    assert.match(fitted.stderr, /step 20\/20, training PSNR \d+\.\d\d dB, \S+ steps\/s, 0 s left\n$/);
  });

  it("prints the job and its first step at once, and then how a long one becomes quick", async () => {
    let isStopped = false;
    const args = ["--steps", "100000000", "--out", join(folder, "endless"), "--json"];
    const { code, stdout, stderr } = await splatbook(["fit", ...small, ...args], {
      watch: (output) => {
        if (isStopped || !/^For a quick run/m.test(output)) return;
        isStopped = true;
        process.emit("SIGINT");
      },
    });
    assert.equal(code, 130);
    const [outline, first, ...later] = stderr.split("\n");
    assert.match(outline, /^Training on CPU, \d+ workers?: 24×16 pixels, 12 blobs, 100,000,000 steps$/);
    assert.match(later.join("\n"), /^For a quick run, use --seconds 60 or --longest 128\.$/m);
    assert.match(first, /^step \d+\/100000000, training PSNR /);
    assert.equal(JSON.parse(stdout).config.steps, 100_000_000);
    assert.doesNotMatch(fitted.stderr, /quick/, "a run of a few seconds");
  });

  it("records the complete config, the image, the host and the result", async () => {
    const description = describeRun(whole);
    const { blobs, steps, learningRate, tile, gaussiansPerBlock, pipeline } = description.config;
    assert.deepEqual(
      [blobs, steps, learningRate, tile, gaussiansPerBlock, pipeline],
      [12, 20, 0.002, [8, 4], "auto", "cpu"],
    );
    const { name, width, height, hash } = description.image;
    assert.deepEqual([name, width, height], ["small.png", 24, 16]);
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.match(description.adapter, /^CPU, \d+ workers?$/);
    assert.match(description.host, /^Node 2\d/);
    assert.match(description.versions.webgpu, /^\d+\.\d+\.\d+/);
    assert.ok(description.timings.seconds > 0);
  });

  it("measures the PSNR of its render and of its .splat2d, and the size of the file", async () => {
    const target = await decodeImage(imagePath);
    const { result } = describeRun(whole);
    const render = await decodeImage(join(whole, "render.png"));
    const rounded = psnr({ ...render, data: Float32Array.from(render.data, (value) => value / 255) }, target);
    assert.ok(Math.abs(rounded - result.psnr) < 0.05);
    assert.deepEqual((await decodeImage(join(whole, "target.png"))).data, target.data);
    const bytes = bytesOf(whole, "blobs.splat2d");
    const { config, size, parameters } = decodeSplat2d(bytes);
    const { file } = result;
    assert.deepEqual([file.bytes, file.bitsPerPixel], [bytes.length, (8 * bytes.length) / (24 * 16)]);
    const read = psnr(await renderOnCpu(config, size, parameters), target);
    assert.ok(Math.abs(read - file.psnr) < 1e-6);
  });

  it("records gradients at the requested steps, and those of the next step", () => {
    const { records } = readGradients(bytesOf(whole, "gradients.arrow"));
    assert.deepEqual(
      records.map(({ step }) => step),
      [5, 10, 15, 20, 21],
    );
    const { rows } = readMetrics(bytesOf(whole, "metrics.arrow"));
    const red = records[1].gradients.subarray(5 * 12, 8 * 12);
    const norm = Math.sqrt(red.reduce((sum, value) => sum + value * value, 0));
    assert.ok(Math.abs(norm / rows[9].gradientNorms.color - 1) < 1e-6, "metrics and gradients are of one step");
  });

  it("prints one JSON object with --json, also for a failure, and nothing with --quiet", async () => {
    const out = join(folder, "json");
    const { stdout, stderr } = await splatbook(["fit", ...small, "--steps", "3", "--json", "--quiet", "--out", out]);
    assert.deepEqual([JSON.parse(stdout), stderr], [{ out, ...describeRun(out) }, ""]);
    const error = "There is no file nowhere.png.";
    const failed = await splatbook(["fit", "nowhere.png", "--json"]);
    assert.deepEqual([JSON.parse(failed.stdout), failed.stderr, failed.code], [{ error }, `${error}\n`, 1]);
  });

  it("writes film frames at the start, at powers of four and at the end", async () => {
    assert.deepEqual(describeRun(whole).film, [0, 4, 16, 20]);
    assert.deepEqual(readdirSync(join(whole, "film")), ["000000.png", "000004.png", "000016.png", "000020.png"]);
    const [start, end] = await Promise.all([0, 20].map((step) => decodeImage(join(whole, frameFile(step)))));
    assert.deepEqual(end, await decodeImage(join(whole, "render.png")));
    assert.notDeepEqual(start, end);
  });

  it("continues a run in another folder, and leaves the first one unchanged", async () => {
    const before = bytesOf(whole, "run.json");
    const out = join(folder, "further");
    const { code, stderr } = await splatbook(["fit", imagePath, "--resume", whole, "--steps", "22", "--out", out]);
    assert.equal(code, 0, stderr);
    assert.equal(describeRun(out).step, 22);
    assert.ok(bytesOf(whole, "run.json").equals(before));
  });

  it("ends immediately on a second Ctrl-C, and saves nothing", async () => {
    const run = join(folder, "given-up");
    const { code } = await splatbookProcess(["fit", ...small, "--steps", "1000000", "--out", run], {
      watch: (stderr, child) => (/^step|Stopping/m.test(stderr) ? child.kill("SIGINT") : undefined),
    });
    assert.equal(code, 130);
    assert.equal(existsSync(join(run, "run.json")), false);
  });

  it("rejects a folder with another run before training", async () => {
    const before = bytesOf(whole, "parameters.arrow");
    const { code, stderr } = await splatbook(["fit", ...small, "--steps", "1000000", "--out", whole]);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `${whole} already contains another run. Continue it with --resume ${whole}, or choose another folder with --out.\n`,
    );
    assert.ok(bytesOf(whole, "parameters.arrow").equals(before));
  });

  it("leaves a run unchanged when the disk is full", async () => {
    const run = join(folder, "full");
    cpSync(whole, run, { recursive: true });
    const { code, stderr } = await whileFull(
      (path) => path.endsWith("optimizer.arrow"),
      () => splatbook(["fit", "--resume", run, "--steps", "25", "--quiet"]),
    );
    assert.equal(code, 1);
    assert.equal(stderr, `Nothing could be written to ${run}: the disk is full.\n`);
    assert.deepEqual(readdirSync(run).sort(), runFiles, "nothing temporary is left");
    assert.deepEqual(readdirSync(join(run, "film")), readdirSync(join(whole, "film")));
    for (const file of runFiles.filter((name) => name !== "film"))
      assert.ok(bytesOf(run, file).equals(bytesOf(whole, file)), `${file} differs`);
  });

  it("trains on the CPU if there is no GPU, and reports it in one line", {
    skip: process.platform !== "linux",
  }, async () => {
    const out = join(folder, "fallback");
    const noDriver = { VK_DRIVER_FILES: "/dev/null", VK_ICD_FILENAMES: "/dev/null" };
    const args = ["fit", imagePath, "--blobs", "12", "--steps", "2", "--json", "--quiet", "--out", out];
    const { code, stdout, stderr } = await splatbookProcess(args, { env: noDriver });
    assert.equal(code, 0);
    const { config, adapter, fallback } = JSON.parse(stdout);
    assert.equal(config.pipeline, "cpu");
    assert.match(adapter, /^CPU, \d+ workers?$/);
    // If a Vulkan loader is installed without a driver, Dawn prints a warning first.
    const own = stderr.split("\n").filter((line) => !/^(Warning: vk.*|\s+at Check.*)?$/.test(line));
    assert.deepEqual(own, [`${fallback} Using the CPU instead.`]);
  });

  it("trains on a GPU to the image of the CPU, prints the time of each stage, and exits", async () => {
    const [out, onCpu] = [join(folder, "gpu"), join(folder, "cpu")];
    await splatbook(["fit", ...small, "--steps", "4", "--out", onCpu]);
    const args = ["fit", imagePath, "--blobs", "12", "--steps", "4", "--pipeline", "tiled", "--out", out];
    const { code, stdout, stderr } = await splatbookProcess(args, { env: softwareAdapterEnvironment() });
    assert.equal(code, 0, stderr);
    const { config, adapter, result, timings } = describeRun(out);
    assert.ok(Object.keys(timings.stageTimes).length > 1);
    assert.match(stdout.split("\n")[1], /^Milliseconds per kernel: \w+ [\d.]+, /);
    assert.equal(config.pipeline, "tiled");
    assert.doesNotMatch(adapter, /^CPU/);
    assert.ok(Math.abs(result.psnr - describeRun(onCpu).result.psnr) < 0.01);
    const [gpu, cpu] = [out, onCpu].map((run) => readParameters(bytesOf(run, "parameters.arrow")).parameters);
    assert.ok(gpu.every((value, slot) => Math.abs(value - cpu[slot]) < 1e-3));
  });
});
