import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { measure } from "../../src/cli/bench/measure.js";
import { resizeImage } from "../../src/cli/bench/resize.js";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import type { Pipeline } from "../../src/engine/pipeline.js";
import { scene } from "../support/scenes.js";
import { softwareAdapterEnvironment } from "../support/softwareAdapter.js";
import { smallPicture, splatbook, temporaryFolder } from "./command.js";

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
    assert.deepEqual([tiled.pipeline, cpu.pipeline, tiled.adapter, cpu.adapter], ["tiled", "cpu", adapter, "CPU"]);
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
