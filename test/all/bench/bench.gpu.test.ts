import assert from "node:assert/strict";
import { beforeAll, describe, it } from "vitest";
import type { Scaling } from "../../../src/engine/bench/results.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";
import { openSoftwareGpu } from "../../support/softwareAdapter.js";

const imagePath = await smallImage(temporaryFolder());

// The command then finds the software adapter in this process.
beforeAll(async () => void (await openSoftwareGpu()));

describe("splatbook bench", () => {
  it("measures pipelines at one job, and prints one JSON object with --json", async () => {
    const job = ["--pipelines", "binned,cpu", "--blobs", "20", "--steps", "7", "--size", "16x8", "--tile", "8x8"];
    const { code, stdout, stderr } = await splatbook(["bench", imagePath, ...job, "--json"]);
    assert.equal(code, 0, stderr);
    const { adapter, image, config, measurements, versions, host } = JSON.parse(stdout);
    assert.deepEqual([image.width, image.height, config.blobs, config.tile], [16, 8, 20, [8, 8]]);
    assert.ok(adapter && host && versions.webgpu);
    const [binned, cpu] = measurements;
    assert.equal(binned.adapter, adapter);
    assert.match(cpu.adapter, /^CPU, \d+ workers?$/);
    for (const measured of measurements) {
      const { rounds, roundSteps, min, median, max, wait, pairs, pairsPerSecond, psnr } = measured;
      assert.deepEqual(roundSteps, [2, 2, 1, 1, 1], "exactly seven steps are measured");
      assert.equal(rounds.length, 5);
      assert.ok(0 < min && min <= median && median <= max && wait >= 0);
      assert.ok(Math.abs(pairsPerSecond / ((1000 * pairs.blended) / median) - 1) < 1e-9);
      assert.ok(pairs.blended <= pairs.supported && pairs.supported <= pairs.listed && pairs.listed <= 20 * 16 * 8);
      assert.ok(Math.abs(psnr - cpu.psnr) < 1, "the pipelines reach the same PSNR");
    }
    // The software adapter has a clock.
    assert.deepEqual(Object.keys(binned.render.stages).sort(), ["imageMain", "lists"]);
    assert.ok(binned.render.drawing > 0 && binned.render.whole > 0);
    assert.ok(
      Math.abs(binned.pairs.blended / cpu.pairs.blended - 1) < 0.05,
      "the work does not depend on the pipeline",
    );
  });
});

describe("splatbook bench --scaling", () => {
  it("measures a row per job, and prints one JSON object with --json", async () => {
    const sweep = ["--scaling", "--pipelines", "cpu", "--blobs", "2", "--size", "2x1", "--seconds", "0.05"];
    const { code, stdout, stderr } = await splatbook(["bench", imagePath, ...sweep, "--json"]);
    assert.equal(code, 0, stderr);
    const { host, image, rows }: Scaling = JSON.parse(stdout);
    assert.match(host, /^Node /);
    assert.equal(image.name, "small.png");
    const sizes = rows.filter(({ axis }) => axis === "all").map(({ width, height }) => [width, height]);
    assert.deepEqual(
      sizes,
      [1, 4, 8, 16, 32].map((factor) => [2 * factor, factor]),
    );
    const measured = rows.filter(({ refusal }) => refusal === "");
    assert.ok(measured.length > 0);
    for (const row of measured) {
      assert.ok(0 < row.min && row.min <= row.median && row.median <= row.max);
      assert.ok(row.entries > 0 && (row.psnr > 3 || row.psnr === null), "two blobs can be exact");
    }
    const [base] = rows.filter(({ axis }) => axis === "all");
    const same = rows.find(({ axis, blobs }) => axis === "blobs" && blobs === 2)!;
    assert.equal(base.median, same.median, "a job of two sweeps is measured once");
    assert.match(stderr, /^cpu, 2 blobs, 2 pixels wide: [\d.]+ ms per step$/m);
  });
});
