import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "vitest";
import { resizeImage } from "../../src/cli/bench/resize.js";
import { scalingJobs } from "../../src/cli/bench/scalingJobs.js";
import { projectRoot } from "../../src/cli/install.js";
import { readScaling } from "../../src/engine/scaling.js";
import { operationsPerPair } from "../../src/engine/work.js";
import { hasPackagedChromium } from "../support/chromium.js";
import { softwareAdapterEnvironment } from "../support/softwareAdapter.js";
import { node, smallPicture, splatbook, temporaryFolder } from "./command.js";

const picture = await smallPicture(temporaryFolder());

describe("splatbook bench", () => {
  it("measures pipelines side by side at one job, and prints one JSON object with --json", async () => {
    const job = ["--pipelines", "tiled,binned,cpu", "--blobs", "20", "--steps", "7", "--size", "16x8", "--tile", "8x8"];
    const { code, stdout, stderr } = await splatbook(["bench", picture, ...job, "--json"], {
      env: softwareAdapterEnvironment(),
    });
    assert.equal(code, 0, stderr);
    const { adapter, peak, image, config, measurements, versions, host } = JSON.parse(stdout);
    assert.deepEqual([image.width, image.height, config.blobs, config.tile], [16, 8, 20, [8, 8]]);
    assert.ok(adapter && host && versions.webgpu);
    if (process.platform === "linux") assert.match(adapter, /driver 5/, "the driver's version is told");
    assert.ok(peak.multiplyAddsPerSecond > 1e7 && peak.bytesPerSecond > 1e7);
    const [tiled, binned, cpu] = measurements;
    assert.deepEqual([tiled.adapter, binned.adapter], [adapter, adapter]);
    assert.match(cpu.adapter, /^CPU, \d+ workers?$/);
    for (const measured of measurements) {
      const { rounds, roundSteps, min, median, max, wait, pairs, pairsPerSecond, psnr } = measured;
      assert.deepEqual(roundSteps, [2, 2, 1, 1, 1], "seven steps are measured, no more and no fewer");
      assert.equal(rounds.length, 5);
      assert.ok(0 < min && min <= median && median <= max && wait >= 0);
      assert.deepEqual([min, max], [Math.min(...rounds), Math.max(...rounds)]);
      assert.ok(Math.abs(pairsPerSecond / ((1000 * pairs.blended) / median) - 1) < 1e-9);
      assert.ok(pairs.blended <= pairs.supported && pairs.supported <= pairs.listed && pairs.listed <= 20 * 16 * 8);
      assert.ok(Math.abs(psnr - cpu.psnr) < 1, "the pipelines learn the same");
    }
    assert.ok(
      Math.abs(binned.pairs.blended / cpu.pairs.blended - 1) < 0.05,
      "the work does not depend on the pipeline",
    );
    const operations = operationsPerPair.forward + operationsPerPair.backward;
    for (const { share, pairsPerSecond } of [tiled, binned]) {
      assert.ok(Math.abs(share / ((operations * pairsPerSecond) / (2 * peak.multiplyAddsPerSecond)) - 1) < 1e-9);
    }
    assert.equal(cpu.share, undefined, "a CPU has no share of the adapter's peak");
    assert.deepEqual(Object.keys(tiled.render.stages), ["imageMain"]);
    const stages = Object.keys(binned.render.stages);
    assert.ok(stages.length > 1 && stages.at(-1) === "imageMain", "the lists are built before they are drawn");
    const times: number[] = Object.values(binned.render.stages);
    assert.ok(binned.render.drawing > 0 && times.every((time) => time > 0));
    assert.ok(Math.abs(binned.render.whole - times.reduce((sum, time) => sum + time, 0)) < 1e-9);
    assert.equal(cpu.render, undefined);
    assert.equal(binned.allocated.parameters, 36 * 20);
    assert.equal(tiled.allocated.target, 4 * 16 * 8);
    const turns = stderr.match(/^\w+(?=: round)/gm);
    assert.deepEqual(turns, new Array(5).fill(["tiled", "binned", "cpu"]).flat());
  });

  it("prints a table for people, of as many steps as the seconds hold where none were asked for", async () => {
    const { stdout } = await splatbook(["bench", picture, "--pipelines", "cpu", "--blobs", "5", "--seconds", "0.5"]);
    assert.match(stdout, /^small\.png, 24x16; 5 blobs, tiles of 8x4, 512 Gaussians a block\n/);
    const [, steps] = /^cpu +(?:\S+ +){5}\S+e\+\d +- +- +- +\d+\.\d\d dB +(\d+) steps$/m.exec(stdout) ?? [];
    assert.ok(Number(steps) >= 4, stdout);
  });
});

describe("splatbook bench --pipelines cpu", () => {
  // Large enough for several parts a step, which workers compute.
  const job = ["--pipelines", "cpu", "--blobs", "500", "--steps", "2", "--size", "64x64", "--json", "--quiet"];

  it("computes with as many workers as --workers says, to the same picture, and ends when they are idle", async () => {
    const [one, three] = await Promise.all(
      ["1", "3"].map(async (workers) => {
        const { code, stdout, stderr } = await splatbook(["bench", picture, ...job, "--workers", workers]);
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout).measurements[0];
      }),
    );
    assert.deepEqual([one.adapter, three.adapter], ["CPU, 1 worker", "CPU, 3 workers"]);
    assert.equal(three.psnr, one.psnr);
  });

  it("does so from the bundle, on a host that has no packages", async () => {
    const bundled = await node(["--import", "tsx", join(projectRoot, "src", "cli", "bench", "bundle.ts")]);
    assert.equal(bundled.code, 0, bundled.stderr);
    const folder = temporaryFolder();
    cpSync(join(projectRoot, ".dev", "bench"), folder, { recursive: true });
    const { code, stdout, stderr } = await node([join(folder, "bench.mjs"), ...job, "--workers", "2"]);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).measurements[0].adapter, "CPU, 2 workers");
  });
});

describe("splatbook bench --scaling", () => {
  it("records each job of its sweeps as a row of one Arrow file, and a job that does not fit as a refusal", async () => {
    const out = join(temporaryFolder(), "scaling.arrow");
    const sweep = ["--scaling", "image,tile", "--pipelines", "binned", "--blobs", "24", "--size", "16x8"];
    const { code, stdout, stderr } = await splatbook(["bench", picture, ...sweep, "--seconds", "0.05", "--out", out], {
      env: softwareAdapterEnvironment(),
    });
    assert.equal(code, 0, stderr);
    const { adapter, peak, versions, image, rows } = readScaling(await readFile(out));
    assert.ok(adapter && peak && versions.webgpu);
    assert.equal(image.name, "small.png");
    const sizes = rows.filter(({ axis }) => axis === "image").map(({ width, height }) => [width, height]);
    assert.deepEqual(
      sizes,
      [1 / 2, 1, 2, 4, 8, 16].map((factor) => [16 * factor, 8 * factor]),
    );
    const tiles = rows.filter(({ axis }) => axis === "tile");
    assert.deepEqual(
      tiles.map(({ tileWidth, tileHeight }) => [tileWidth, tileHeight]),
      [8, 8, 16, 16, 32, 32].map((width, i) => [width, [4, 8, 8, 16, 16, 32][i]]),
    );
    assert.deepEqual([tiles[0].listTileWidth, tiles[0].listTileHeight], [16, 8], "small tiles are joined");
    if (hasPackagedChromium) {
      assert.match(tiles[5].refusal, /^tile is "32x32", but must be at most 256 pixels/);
      assert.ok(Number.isNaN(tiles[5].median));
    }
    for (const row of rows.filter(({ refusal }) => refusal === "")) {
      assert.ok(0 < row.min && row.min <= row.median && row.median <= row.max && row.stepsMeasured >= 1);
      assert.ok(row.entries > 0 && row.supportedPairs > 0 && row.supportedPairs <= row.listedPairs);
      assert.equal(row.allocated.target, 4 * row.width * row.height);
      assert.equal(row.blobs, 24);
      assert.ok(row.psnr > 3 && row.openTime > 0);
    }
    const [, base] = rows;
    assert.equal(base.median, tiles[0].median, "a job of two sweeps is measured once");
    assert.match(stdout, /^tile +binned +24 +16x8 +16x16 +\d+ +\S+ +\d+ +\S+e\+\d$/m);
  });

  it("refuses to be without a file to write, or with steps", async () => {
    const { code, stderr } = await splatbook(["bench", picture, "--scaling"]);
    assert.deepEqual([code, stderr], [2, "--scaling needs --out, the Arrow file to write.\n"]);
    const named = await splatbook(["bench", picture, "--scaling", "colour", "--out", "x.arrow"]);
    assert.equal(named.stderr, '--scaling is "colour", but must be one or more of blobs,image,tile,all.\n');
  });
});

describe("scalingJobs()", () => {
  it("reaches from a thousand blobs to four million on 8192×8192, in which as many as before cover a place", () => {
    const base = { blobs: 40960, size: { width: 512, height: 512 }, tile: "8x4" };
    const jobs = scalingJobs(base);
    const last = jobs.at(-1)!;
    assert.deepEqual([last.axis, last.blobs, last.size], ["all", 4_000_000, { width: 8192, height: 8192 }]);
    assert.ok(Math.abs(last.covarianceScale - (1e-4 * 40960) / 4e6) < 1e-12);
    const blobs = scalingJobs(base, ["blobs"]);
    assert.deepEqual(
      blobs.map((job) => job.blobs),
      [1024, 4096, 16384, 40960, 163840, 655360, 4000000],
    );
    assert.ok(blobs.every(({ size }) => size.width === 512));
    const images = scalingJobs(base, ["image"]);
    assert.deepEqual(
      images.map(({ size }) => size.width),
      [256, 512, 1024, 2048, 4096, 8192],
    );
    assert.ok(images.every(({ covarianceScale }) => covarianceScale === 1e-4));
  });
});

describe("resizeImage()", () => {
  const image = {
    width: 4,
    height: 2,
    data: Uint8ClampedArray.from({ length: 32 }, (_, i) => ((i & 3) === 3 ? 255 : i)),
  };
  const reds = ({ data }: { data: Uint8ClampedArray }) => [...data].filter((_, i) => (i & 3) === 0);

  it("crops about the middle and takes the mean of what a pixel covers", () => {
    assert.deepEqual(reds(resizeImage(image, { width: 1, height: 1 })), [(4 + 8 + 20 + 24) / 4]);
  });

  it("repeats pixels where it enlarges", () => {
    assert.deepEqual(reds(resizeImage(image, { width: 8, height: 4 })).slice(0, 8), [0, 0, 4, 4, 8, 8, 12, 12]);
  });
});
