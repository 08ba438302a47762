import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cpuReferencesIn } from "../../../../../src/components/kernels/kernelHeader.js";
import { laneLines } from "../../../../../src/components/learn/flow/laneLines.js";
import { stepBuffers, stepKernels } from "../../../../../src/components/learn/flow/stepKernels.js";
import { useOf, usesOf } from "../../../../../src/components/learn/flow/variableUses.js";
import { completeConfig } from "../../../../../src/engine/config.js";
import type { AdapterTraits } from "../../../../../src/engine/gpu/adapter.js";
import { kernelsOf } from "../../../../../src/engine/gpu/pipelines.js";
import { bindingsOf } from "../../../../../src/engine/gpu/reachability.js";
import { shaders } from "../../../../support/gpu.js";

const gpuTraits: AdapterTraits = { isSoftware: false, subgroupSizes: [32, 32] };
const image = { width: 64, height: 48 };
const shownPipelines = ["tiled", "simple", "binned"] as const;

describe("useOf() and usesOf()", () => {
  it("reads the use from the text", () => {
    const uses: [string, string | undefined][] = [
      ["list[a[i] + 1u].x = list2[i];", "writes"],
      ["let x = list[i];", "reads"],
      ["list[i] += 1.0;", "reads and writes"],
      ["let x = atomicAdd(&list[i], 1u);", "reads and writes"],
      ["let n = arrayLength(&list);", undefined],
      ["lists[i] = 1u;", undefined],
      ["other[list[i] + 1u] = 1u;", "reads"],
      ["list[list[0]] = 1u;", "reads and writes"],
    ];
    for (const [text, use] of uses) assert.equal(useOf(text, "list"), use, text);
  });

  it("agrees with the bindings of every kernel: read-only buffers are not written, and all used ones are bound", () => {
    for (const pipeline of shownPipelines) {
      for (const [name, { file }] of Object.entries(kernelsOf(completeConfig({ pipeline }), gpuTraits, image))) {
        const bindings = bindingsOf(shaders, file);
        for (const { variable, use } of usesOf(shaders, file)) {
          if (variable.space === "workgroup") continue;
          const bound = bindings.find((binding) => binding.name === variable.name);
          assert.ok(bound, `${pipeline} ${name}: ${variable.name} is bound`);
          if (bound.access !== "read_write") assert.equal(use, "reads", `${pipeline} ${name}: ${variable.name}`);
        }
      }
    }
  });
});

describe("the flow of a step", () => {
  const kernelsIn = (pipeline: (typeof shownPipelines)[number]) =>
    stepKernels(shaders, completeConfig({ pipeline }), image, gpuTraits);

  it("connects the writers of gradients with their readers, and the update with the next step", () => {
    const kernels = kernelsIn("tiled");
    const lane = (buffer: string) =>
      kernels.map(({ uses }) => uses.find(({ variable }) => variable.name === buffer)?.use);
    const gradients = lane("gradients");
    assert.deepEqual(gradients, ["writes", "reads and writes", "reads", undefined]);
    assert.deepEqual(laneLines(gradients, true), [
      { from: 0, to: 1, isBack: false },
      { from: 0, to: 2, isBack: false },
    ]);
  });

  it("has a CPU reference and a description for each kernel, and all shared buffers", () => {
    for (const pipeline of shownPipelines) {
      const kernels = kernelsIn(pipeline);
      const buffers = new Set(stepBuffers(kernels).map(({ name }) => name));
      for (const { file, uses } of kernels) {
        assert.ok(shaders.get(file)!.startsWith("//"), file);
        assert.ok(cpuReferencesIn(shaders.get(file)).length > 0, file);
        for (const { variable } of uses) assert.ok(buffers.has(variable.name));
      }
      assert.ok(buffers.has("parameters") && buffers.has("targetImage"));
    }
  });
});
