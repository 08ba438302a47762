import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { measure } from "../../src/cli/bench/measure.js";
import { resizeImage } from "../../src/cli/bench/resize.js";
import { projectRoot } from "../../src/cli/install.js";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import type { Pipeline } from "../../src/engine/pipeline.js";
import { scene } from "../support/scenes.js";
import { softwareAdapterEnvironment } from "../support/softwareAdapter.js";
import { node, smallPicture, splatbook, temporaryFolder } from "./command.js";

const picture = await smallPicture(temporaryFolder());

describe("splatbook bench", () => {
  it("measures pipelines side by side at one job, and prints one JSON object with --json", async () => {
    const job = ["--pipelines", "tiled,cpu", "--blobs", "20", "--steps", "2", "--size", "16x8", "--tile", "8x8"];
    const { code, stdout, stderr } = await splatbook(["bench", picture, ...job, "--json"], {
      env: softwareAdapterEnvironment(),
    });
    assert.equal(code, 0, stderr);
    const { adapter, image, config, measurements, versions, host } = JSON.parse(stdout);
    assert.deepEqual([image.width, image.height, config.blobs, config.tile], [16, 8, 20, [8, 8]]);
    assert.ok(adapter && host && versions.webgpu);
    const [tiled, cpu] = measurements;
    assert.deepEqual([tiled.pipeline, cpu.pipeline, tiled.adapter], ["tiled", "cpu", adapter]);
    assert.match(cpu.adapter, /^CPU, \d+ workers?$/);
    for (const measured of [tiled, cpu]) {
      const { rounds, min, median, max, pairsPerStep, pairsPerSecond, steps } = measured;
      assert.equal(rounds.length, 2);
      assert.ok(0 < min && min <= median && median <= max);
      assert.deepEqual([min, max], [Math.min(...rounds), Math.max(...rounds)]);
      assert.ok(Math.abs(pairsPerSecond / ((1000 * pairsPerStep) / median) - 1) < 1e-9);
      assert.equal(steps, 4, "two measured steps after two to warm up");
    }
    assert.equal(tiled.pairsPerStep, cpu.pairsPerStep);
    assert.ok(tiled.pairsPerStep <= 20 * 16 * 8);
    assert.ok(Math.abs(tiled.psnr - cpu.psnr) < 0.01, "the pipelines learn the same");
    const turns = stderr.match(/^\w+(?=: round)/gm);
    assert.deepEqual(turns, ["tiled", "cpu", "tiled", "cpu"]);
  });

  it("prints a table for people", async () => {
    const { stdout } = await splatbook(["bench", picture, "--pipelines", "cpu", "--blobs", "5", "--steps", "2"]);
    assert.match(stdout, /^small\.png, 24x16; 5 blobs, tiles of 8x4, 512 Gaussians a block\n/);
    assert.match(stdout, /^cpu +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +\S+e\+\d +\d+\.\d\d dB +4 steps$/m);
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

describe("measure()", () => {
  it("counts the pairs of the tiles that a pipeline has, which may be larger than the config's", async () => {
    const { config, image } = scene({ pipeline: "cpu", blobs: 9, tile: "8x4" }, 20, 8);
    const joined = { size: [16, 8], across: 2, down: 1, lengths: Uint32Array.of(5, 3), passes: Uint32Array.of(1, 1) };
    const backend = {
      ...cpuBackend,
      open: async (...job: Parameters<typeof cpuBackend.open>) =>
        Object.assign(await cpuBackend.open(...job), { tiles: async () => joined }) as Pipeline,
    };
    const plan = { rounds: 1, stepsPerRound: 1 };
    const [{ pairsPerStep }] = await measure(
      [config],
      image,
      () => backend,
      plan,
      () => {},
    );
    assert.equal(pairsPerStep, 5 * 16 * 8 + 3 * 4 * 8);
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
