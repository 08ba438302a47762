import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { bufferDescriptions } from "../../../src/components/kernels/bufferDescriptions.js";
import { cpuReferencesIn } from "../../../src/components/kernels/kernelHeader.js";
import { completeConfig } from "../../../src/engine/config.js";
import { gpuPipelines } from "../../../src/engine/gpu/checkOnGpu.js";
import { kernelsOf } from "../../../src/engine/gpu/pipelines.js";
import { bindingsOf } from "../../../src/engine/gpu/reachability.js";
import { shaders } from "../../support/gpu.js";

/** Every adapter that kernels are chosen for. */
const adapters = [
  { isSoftware: true, subgroupSizes: [4, 4] },
  { isSoftware: false, subgroupSizes: [32, 32] },
  { isSoftware: false, subgroupSizes: undefined },
] as const;
const stages = new Set(
  adapters.flatMap((adapter) =>
    gpuPipelines.flatMap((pipeline) =>
      Object.values(kernelsOf(completeConfig({ pipeline }), adapter)).map(({ file }) => file),
    ),
  ),
);

const cpuReferences = new Map([...shaders].map(([shader, text]) => [shader, cpuReferencesIn(text)]));

describe("the CPU references", () => {
  it("name functions that exist", () => {
    for (const [shader, own] of cpuReferences) {
      for (const { file, name } of own) {
        assert.ok(existsSync(`src/engine/${file}`), file);
        const text = readFileSync(`src/engine/${file}`, "utf8");
        assert.match(text, new RegExp(`\\b(function\\*?|class) ${name}\\b`), `${name} in ${file}, of ${shader}`);
      }
    }
  });

  it("cover every stage of every pipeline on every adapter", () => {
    for (const file of stages) assert.ok(cpuReferences.get(file)!.length > 0, file);
  });
});

describe("bindingsOf()", () => {
  it("finds every buffer of every kernel, and each has a description", () => {
    for (const file of stages) {
      const bindings = bindingsOf(shaders, file);
      assert.ok(bindings.length >= 2, file);
      for (const { name } of bindings) assert.ok(bufferDescriptions[name], `${name} of ${file}`);
    }
  });
});
