import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fullLink, readLink, writeLink } from "../../../src/components/training/link.js";
import { completeConfig } from "../../../src/engine/config.js";

const start = { blobs: 400, tile: [8, 8] as [number, number], steps: 1000 };

describe("a link", () => {
  it("is empty for the page's initial job", () => {
    assert.equal(writeLink(completeConfig(start), start, { picture: undefined }), "");
  });

  it("holds the differences, and leads to the same job", () => {
    const config = completeConfig({ ...start, blobs: 77, tile: "16x8", background: "white", seed: -3 });
    const { config: fields, ...rest } = readLink(writeLink(config, start, { picture: "coffee", size: "64" }));
    assert.deepEqual(rest, { picture: "coffee", size: "64", engine: undefined });
    assert.deepEqual(completeConfig({ ...start, ...fields }), config);
  });

  it("names a preset instead of its fields, and keeps the differences from it", () => {
    const small = { ...start, learningRate: 0.01 };
    const { learningRate: _, ...size } = small;
    const quality = completeConfig({ ...size, preset: "quality" });
    assert.equal(writeLink(quality, small, {}), "?preset=quality");
    const summed = completeConfig({ ...size, preset: "quality", blend: "sum" });
    assert.deepEqual(readLink(writeLink(summed, small, {})).config, { preset: "quality", blend: "sum" });
  });

  it("names GAUSSIANS_PER_BLOCK; older links count in the pipelines that used it", () => {
    const config = completeConfig({ ...start, gaussiansPerBlock: 64 });
    assert.equal(writeLink(config, start, {}), "?GAUSSIANS_PER_BLOCK=64");
    assert.deepEqual(readLink("?GAUSSIANS_PER_BLOCK=64").config, { gaussiansPerBlock: 64 });
    const older = (pipeline: string) => readLink(`?gaussiansPerBlock=64&pipeline=${pipeline}`).config.gaussiansPerBlock;
    assert.deepEqual(["tiled", "cpu", "binned", "simple"].map(older), [64, 64, undefined, undefined]);
    assert.deepEqual(readLink("?gaussiansPerBlock=16").config, {});
  });
});

describe("fullLink()", () => {
  it("leads to the same settings from any initial job, except for the pipeline", () => {
    const config = completeConfig({ preset: "quality", blobs: 77, tile: "16x8", blend: "sum", seed: -3 });
    const { config: fields } = readLink(fullLink(config));
    assert.deepEqual(completeConfig({ ...start, pipeline: "cpu", ...fields }), { ...config, pipeline: "cpu" });
  });
});
