import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, it } from "vitest";
import { readScaling } from "../../src/engine/bench/scaling.js";
import { operationsPerPair } from "../../src/engine/bench/work.js";
import { smallImage, splatbook, temporaryFolder } from "../cli/command.js";
import { hasPackagedChromium } from "../support/chromium.js";
import { openSoftwareGpu } from "../support/softwareAdapter.js";

const imagePath = await smallImage(temporaryFolder());

// The command then finds the software adapter in this process.
beforeAll(async () => void (await openSoftwareGpu()));

describe("splatbook bench", () => {
  it("measures pipelines at one job, and prints one JSON object with --json", async () => {
    const job = ["--pipelines", "tiled,binned,cpu", "--blobs", "20", "--steps", "7", "--size", "16x8", "--tile", "8x8"];
    const { code, stdout, stderr } = await splatbook(["bench", imagePath, ...job, "--json"]);
    assert.equal(code, 0, stderr);
    const { adapter, peak, image, config, measurements, versions, host } = JSON.parse(stdout);
    assert.deepEqual([image.width, image.height, config.blobs, config.tile], [16, 8, 20, [8, 8]]);
    assert.ok(adapter && host && versions.webgpu);
    if (process.platform === "linux") assert.match(adapter, /driver 5/, "the adapter has a driver version");
    assert.ok(peak.multiplyAddsPerSecond > 1e7 && peak.bytesPerSecond > 1e7);
    const [tiled, binned, cpu] = measurements;
    assert.deepEqual([tiled.adapter, binned.adapter], [adapter, adapter]);
    assert.match(cpu.adapter, /^CPU, \d+ workers?$/);
    for (const measured of measurements) {
      const { rounds, roundSteps, min, median, max, wait, pairs, pairsPerSecond, psnr } = measured;
      assert.deepEqual(roundSteps, [2, 2, 1, 1, 1], "exactly seven steps are measured");
      assert.equal(rounds.length, 5);
      assert.ok(0 < min && min <= median && median <= max && wait >= 0);
      assert.deepEqual([min, max], [Math.min(...rounds), Math.max(...rounds)]);
      assert.ok(Math.abs(pairsPerSecond / ((1000 * pairs.blended) / median) - 1) < 1e-9);
      assert.ok(pairs.blended <= pairs.supported && pairs.supported <= pairs.listed && pairs.listed <= 20 * 16 * 8);
      assert.ok(Math.abs(psnr - cpu.psnr) < 1, "the pipelines reach the same PSNR");
    }
    assert.ok(
      Math.abs(binned.pairs.blended / cpu.pairs.blended - 1) < 0.05,
      "the work does not depend on the pipeline",
    );
    const operations = operationsPerPair.forward + operationsPerPair.backward;
    for (const { share, pairsPerSecond } of [tiled, binned]) {
      assert.ok(Math.abs(share / ((operations * pairsPerSecond) / (2 * peak.multiplyAddsPerSecond)) - 1) < 1e-9);
    }
    assert.equal(cpu.share, undefined, "a CPU has no fraction of the adapter's peak");
    assert.deepEqual(Object.keys(tiled.render.stages), ["imageMain"]);
    const stages = Object.keys(binned.render.stages);
    assert.ok(stages.length > 1 && stages.at(-1) === "imageMain", "rendering includes building the lists");
    const times: number[] = Object.values(binned.render.stages);
    assert.ok(binned.render.drawing > 0 && times.every((time) => time > 0));
    assert.ok(Math.abs(binned.render.whole - times.reduce((sum, time) => sum + time, 0)) < 1e-9);
    assert.equal(cpu.render, undefined);
    assert.equal(binned.allocated.parameters, 36 * 20);
    assert.equal(tiled.allocated.targetImage, 4 * 16 * 8);
    const rounds = stderr.match(/^\w+(?=: round)/gm);
    assert.deepEqual(rounds, new Array(5).fill(["tiled", "binned", "cpu"]).flat());
  });
});

describe("splatbook bench --scaling", () => {
  it("writes an Arrow file with one row per job, and with the reason if a job does not fit", async () => {
    const out = join(temporaryFolder(), "scaling.arrow");
    const sweep = ["--scaling", "image,tile", "--pipelines", "binned", "--blobs", "24", "--size", "16x8"];
    const { code, stdout, stderr } = await splatbook(["bench", imagePath, ...sweep, "--seconds", "0.05", "--out", out]);
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
    assert.deepEqual([tiles[0].listTileWidth, tiles[0].listTileHeight], [16, 8], "binned joins small tiles");
    if (hasPackagedChromium) {
      assert.match(tiles[5].refusal, /^tile must be at most 256 pixels, .* \(got "32x32"\)\.$/);
      assert.ok(Number.isNaN(tiles[5].median));
    }
    for (const row of rows.filter(({ refusal }) => refusal === "")) {
      assert.ok(0 < row.min && row.min <= row.median && row.median <= row.max && row.stepsMeasured >= 1);
      assert.ok(row.entries > 0 && row.supportedPairs > 0 && row.supportedPairs <= row.listedPairs);
      assert.equal(row.allocated.targetImage, 4 * row.width * row.height);
      assert.equal(row.blobs, 24);
      assert.ok(row.psnr > 3 && row.openTime > 0);
    }
    const [, base] = rows;
    assert.equal(base.median, tiles[0].median, "a job of two sweeps is measured once");
    assert.match(stdout, /^tile +binned +24 +16x8 +16x16 +\d+ +\S+ +\d+ +\S+e\+\d$/m);
  });
});
