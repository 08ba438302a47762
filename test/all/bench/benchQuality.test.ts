import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { qualityJobs } from "../../../src/bench/qualityJobs.js";
import type { Quality } from "../../../src/engine/bench/results.js";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import { smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

/** The fields that a row changes; no other field may differ from the row before. */
const rates = ["learningRate", "centerRate", "varianceRate", "correlationRate", "colorRate", "opacityRate"];
const schedule = ["schedule", "finalRate"];
const changes: Record<string, string[]> = {
  "exact bias correction": ["biasCorrection"],
  "direct and rates by group": ["parameterization", "background", "blend", ...rates],
  schedule,
  "start by gradient": ["initializer"],
  growth: ["startShare", "growEvery", "growUntil"],
  "sum in place of over": ["blend"],
  "over in place of sum": ["blend"],
  "uniform start": ["initializer"],
  "no growth": ["startShare", "growEvery"],
  "one rate for all": rates,
  "no schedule": ["schedule"],
  "constant bias correction": ["biasCorrection"],
  "white background": ["background"],
};

/** The preset's name is not a setting. */
function differences(a: TrainConfig, b: TrainConfig): string[] {
  const fields = Object.keys(a).filter((field) => field !== "preset") as (keyof TrainConfig)[];
  return fields.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]));
}

describe("qualityJobs()", () => {
  const jobs = qualityJobs();
  const ofPart = (part: string) => jobs.filter((job) => job.part === part);

  it("goes from the baseline preset to the quality preset, and each row changes only the fields of its ingredient", () => {
    const ladder = ofPart("ladder");
    const { blobs, steps } = ladder[0].config;
    assert.deepEqual(ladder[0].config, completeConfig({ blobs, steps }));
    for (const [i, { row, config }] of ladder.slice(1).entries()) {
      const changed = differences(ladder[i].config, config);
      assert.ok(
        changed.every((field) => changes[row].includes(field)),
        `${row}: ${changed}`,
      );
    }
    const quality = completeConfig({ preset: "quality", blobs, steps });
    assert.deepEqual(differences(ladder.at(-1)!.config, quality), []);
  });

  it("leaves out exactly one ingredient of the quality preset", () => {
    const [{ config }] = ofPart("sizes");
    for (const job of ofPart("without")) {
      const { blobs, steps } = job.config;
      const changed = differences(job.config, completeConfig({ ...config, blobs, steps, covarianceScale: undefined }));
      assert.ok(
        changed.every((field) => changes[job.row].includes(field)),
        `${job.row}: ${changed}`,
      );
    }
  });

  it("takes only the requested rows, parts and numbers", () => {
    const names = (rows: string[]) => qualityJobs({ rows, blobs: [50] }).map(({ row }) => row);
    assert.deepEqual(names(["baseline", "growth"]), ["baseline", "growth"]);
    assert.equal(names(["sizes"])[0], "quality");
    const [{ config }] = qualityJobs({ blobs: [50], steps: 7, common: { pipeline: "cpu" } });
    assert.deepEqual([config.blobs, config.steps, config.pipeline], [50, 7, "cpu"]);
    assert.throws(
      () => names(["basline"]),
      /rows must be one or more of ladder, without, sizes, seconds, baseline.* \(got "basline"\)\.$/,
    );
  });
});

describe("splatbook bench --quality", () => {
  it("measures each run, and prints one JSON object with --json", async () => {
    const imagePath = await smallImage(temporaryFolder());
    const job = ["--pipelines", "cpu", "--blobs", "12", "--steps", "30", "--workers", "1"];
    const ask = ["bench", imagePath, "--quality", ...job, "--rows", "baseline,quality", "--json"];
    const { code, stdout, stderr } = await splatbook(ask);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^quality, small, 12 blobs: [\d.]+ dB in [\d.]+ s$/m);
    const { runs, adapter, host, versions }: Quality = JSON.parse(stdout);
    assert.ok(host && versions.node);
    assert.equal(adapter, "CPU, 1 worker");
    assert.deepEqual(
      runs.map(({ part, row, image, width, height, blobs, steps }) => [part, row, image, width, height, blobs, steps]),
      [
        ["ladder", "baseline", "small", 24, 16, 12, 30],
        ["sizes", "quality", "small", 24, 16, 12, 30],
      ],
    );
    for (const run of runs) {
      assert.ok(run.seconds > 0 && run.psnr > 3 && Math.abs(run.filePsnr - run.psnr) < 3);
      assert.ok(run.ssim < 1 && run.msSsim === null, "an image of 16 pixels is too small for MS-SSIM");
      assert.ok(run.bytes > 0);
      assert.equal(run.bitsPerPixel, (8 * run.bytes) / (24 * 16));
    }
  });
});
