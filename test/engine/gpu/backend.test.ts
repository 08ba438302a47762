import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig, type PipelineName } from "../../../src/engine/config.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { checkOnGpu } from "../../../src/engine/gpu/checkOnGpu.js";
import { limitText } from "../../../src/engine/quoted.js";
import { limits } from "../../support/limits.js";

const size = { width: 512, height: 512 };

describe("Backend.check()", () => {
  const limitOf: [pipeline: PipelineName, max: number, where: string][] = [
    ["simple", 3728270, "on this adapter"],
    ["tiled", 3728270, "on this adapter"],
    ["binned", 2796202, "in the binned pipeline on this adapter"],
    ["cpu", 2000000, "on the CPU"],
  ];
  for (const [pipeline, max, where] of limitOf) {
    it(`reports the maximum of blobs in ${pipeline}, for any larger number`, () => {
      const check = (blobs: number) => {
        const config = completeConfig({ blobs, pipeline });
        if (pipeline === "cpu") cpuBackend.check(config, size);
        else checkOnGpu(config, size, limits);
      };
      for (const blobs of [max + 1, 4_000_000, 1e9, 1e300]) {
        const message = `blobs must be at most ${limitText(max)} ${where} (got ${blobs}).`;
        assert.throws(() => check(blobs), { name: "ConfigError", message });
      }
      check(max);
    });
  }
});
