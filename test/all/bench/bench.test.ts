import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { resizeImage } from "../../../src/bench/images.js";
import { smallImage, splatbook, splatbookProcess, temporaryFolder } from "../../cli/command.js";

const imagePath = await smallImage(temporaryFolder());

describe("splatbook bench", () => {
  it("prints a table, and measures for --seconds without --steps", async () => {
    const { stdout } = await splatbook(["bench", imagePath, "--pipelines", "cpu", "--blobs", "5", "--seconds", "0.5"]);
    assert.match(stdout, /^small\.png, 24x16; 5 blobs, tiles of 8x4, GAUSSIANS_PER_BLOCK auto\n/);
    const [, steps] = /^cpu +(?:\S+ +){5}\S+e\+\d +- +- +\d+\.\d\d dB +(\d+) steps$/m.exec(stdout) ?? [];
    assert.ok(Number(steps) >= 4, stdout);
  });
});

describe("splatbook bench --pipelines cpu", () => {
  // Large enough for several tasks per step.
  const job = ["--pipelines", "cpu", "--blobs", "500", "--steps", "2", "--size", "64x64", "--json", "--quiet"];

  it("computes the same with any number of --workers, and exits", async () => {
    const measured = async (run: typeof splatbook, workers: string) => {
      const { code, stdout, stderr } = await run(["bench", imagePath, ...job, "--workers", workers]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).measurements[0];
    };
    const one = await measured(splatbook, "1");
    // A separate process, which exits only if its workers do.
    const three = await measured(splatbookProcess, "3");
    assert.deepEqual([one.adapter, three.adapter], ["CPU, 1 worker", "CPU, 3 workers"]);
    assert.equal(three.psnr, one.psnr);
  });
});

describe("resizeImage()", () => {
  const image = {
    width: 4,
    height: 2,
    data: Uint8ClampedArray.from({ length: 32 }, (_, i) => ((i & 3) === 3 ? 255 : 8 * (i >> 2))),
  };
  const redsOf = async (width: number, height: number) => {
    const { data } = await resizeImage(image, { width, height });
    return [...data].filter((_, i) => (i & 3) === 0);
  };

  it("crops around the centre and averages pixels, or repeats them if it enlarges", async () => {
    assert.deepEqual(await redsOf(2, 2), [8, 16, 40, 48]);
    const [left, right] = await redsOf(2, 1);
    assert.ok(Math.abs(left - (0 + 8 + 32 + 40) / 4) < 5 && Math.abs(right - (16 + 24 + 48 + 56) / 4) < 5);
    assert.deepEqual((await redsOf(8, 4)).slice(0, 8), [0, 0, 8, 8, 16, 16, 24, 24]);
  });
});
