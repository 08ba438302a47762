import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { bufferDescriptions } from "../../../src/components/kernels/bufferDescriptions.js";
import { cpuReferencesIn } from "../../../src/components/kernels/kernelHeader.js";
import { trialFiles } from "../../../src/components/learn/exercises/linkReference.js";
import { completeConfig } from "../../../src/engine/config.js";
import { headerComment } from "../../../src/engine/gpu/declarations.js";
import { gpuPipelines, kernelsOf } from "../../../src/engine/gpu/pipelines.js";
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

  it("are in files that pages can fetch, with their sources", () => {
    const args = ["--import", "tsx", "src/cpuReferences.json.ts"];
    const sources = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    const files = [...[...cpuReferences.values()].flat().map(({ file }) => file), ...trialFiles];
    for (const file of files) assert.equal(sources[file], readFileSync(`src/engine/${file}`, "utf8"), file);
  });

  it("include each file of the engine that a header comment names", () => {
    const named = [...shaders].flatMap(([shader, text]) => {
      const [references = ""] = /\bCPU references?\b.*/s.exec(headerComment(text)) ?? [];
      return Array.from(references.matchAll(/src\/engine\/(\S+\.ts)/g), ([, file]) => [shader, file]);
    });
    assert.ok(named.length > 20);
    const isReference = ([shader, file]: string[]) => cpuReferences.get(shader)!.some((one) => one.file === file);
    assert.deepEqual(
      named.filter((one) => !isReference(one)),
      [],
    );
  });

  it("of binned stages are in files of the same names, in their order", () => {
    const stageOf = (file: string) => /^binned\/([\dto]+-\w+?)(?:Thread|Workgroup|Subgroup)?\.wgsl$/.exec(file)?.[1];
    const stages = [...new Set([...shaders.keys()].flatMap((file) => stageOf(file) ?? []))];
    const own = readdirSync("src/engine/model/binned").map((file) => file.replace(".ts", ""));
    assert.deepEqual([...stages, "lists", "slots"], own.sort());
    assert.deepEqual(stages, [
      "1-project",
      "2-allocateLists",
      "2to4-gatherLists",
      "3-fillLists",
      "4-sortLists",
      "5-rasterize",
      "6-rasterizeBackward",
      "7-updateBlobs",
    ]);
    for (const [file, [reference]] of cpuReferences) {
      const stage = stageOf(file);
      if (stage) assert.deepEqual(reference, { file: `model/binned/${stage}.ts`, name: stage.split("-")[1] }, file);
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

  it("reads binding, access and type from the text, and omits unused buffers", () => {
    const text =
      "@group(0) @binding(7) var<storage, read_write> a: array<vec4f>;\n@group(0) @binding(1) var<uniform> b: B;\n";
    const library = new Map([
      ["a.wgsl", `#import b.wgsl\nfn main() { a[0] = c; } // b`],
      ["b.wgsl", text],
    ]);
    assert.deepEqual(bindingsOf(library, "a.wgsl"), [
      { binding: 7, name: "a", access: "read_write", type: "array<vec4f>" },
    ]);
  });
});
