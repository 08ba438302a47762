import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig, type PipelineName } from "../../../src/engine/config.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { checkOnGpu } from "../../../src/engine/gpu/backend.js";
import { shaders } from "../../support/gpu.js";
import { limits } from "../../support/limits.js";

const size = { width: 512, height: 512 };

describe("an engine that is asked for too many blobs", () => {
  const known: [pipeline: PipelineName, most: number, where: string][] = [
    ["simple", 3728270, "on this adapter"],
    ["tiled", 3728270, "on this adapter"],
    ["binned", 2796202, "in the binned pipeline on this adapter"],
    ["cpu", 2000000, "on the CPU"],
  ];
  for (const [pipeline, most, where] of known) {
    it(`tells its own limit at once, in ${pipeline}, however many they are`, () => {
      const check = (blobs: number) => {
        const config = completeConfig({ blobs, pipeline });
        if (pipeline === "cpu") cpuBackend.check(config, size);
        else checkOnGpu(config, size, limits, shaders);
      };
      for (const blobs of [most + 1, 4_000_000, 1e9, 1e300]) {
        const message = `blobs is ${blobs}, but must be at most ${most} ${where}.`;
        assert.throws(() => check(blobs), { name: "ConfigError", message });
      }
      check(most);
    });
  }
});
