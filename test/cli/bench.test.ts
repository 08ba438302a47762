import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resizeImage } from "../../src/cli/bench/resize.js";
import { operationsPerPair } from "../../src/engine/work.js";
import { softwareAdapterEnvironment } from "../support/softwareAdapter.js";
import { smallPicture, splatbook, temporaryFolder } from "./command.js";

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
    assert.deepEqual([tiled.adapter, binned.adapter, cpu.adapter], [adapter, adapter, "CPU"]);
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
      assert.ok(share < 1);
    }
    assert.equal(cpu.share, undefined, "a CPU has no share of the adapter's peak");
    assert.deepEqual(Object.keys(tiled.render.stages), ["imageMain"]);
    const stages = ["project", "allocateLists", "fillLists", "sortLists", "imageMain"];
    assert.deepEqual(Object.keys(binned.render.stages), stages);
    assert.ok(0 < binned.render.drawing && binned.render.drawing < binned.render.whole);
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
    assert.ok(Number(steps) > 20, stdout);
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
