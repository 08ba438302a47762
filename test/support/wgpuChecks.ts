// Runs in Deno, with wgpu, Firefox's WebGPU. Reads the kernels from stdin, and prints a line of JSON per check.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { storedStatesFile } from "../../src/components/learn/realtime/programs.js";
import { completeConfig } from "../../src/engine/config.js";
import type { AdapterTraits } from "../../src/engine/gpu/adapter.js";
import { variantOf } from "../../src/engine/gpu/binned/layout.js";
import { BinnedPipeline } from "../../src/engine/gpu/binned/pipeline.js";
import { boundLoops } from "../../src/engine/gpu/boundLoops.js";
import { gpuPipelines } from "../../src/engine/gpu/checkOnGpu.js";
import type { KernelSource } from "../../src/engine/gpu/kernel.js";
import { openDevice } from "../../src/engine/gpu/openDevice.js";
import { kernelsOf, pipelineOf } from "../../src/engine/gpu/pipelines.js";
import { composeShader, type ShaderLibrary } from "../../src/engine/shaders.js";
import { assertPassAgrees, assertTrainingAgrees } from "./agreement.js";
import { brokenKernels } from "./brokenKernels.js";
import { type Scene, scene } from "./scenes.js";

/** A check, printed at its start and with its outcome. */
export interface WgpuCheck {
  /** Title of the check: kernels that compile or do not, or a pipeline that trains. */
  kind: "compiles" | "reports" | "trains";
  name: string;
  /** Absent at the start. */
  outcome?: "passed" | { failure: string };
}

async function check(kind: WgpuCheck["kind"], name: string, work: () => Promise<void>): Promise<void> {
  const reportOutcome = (outcome?: WgpuCheck["outcome"]) => console.log(JSON.stringify({ kind, name, outcome }));
  reportOutcome();
  try {
    await work();
    reportOutcome("passed");
  } catch (error) {
    reportOutcome({ failure: (error as Error).message });
  }
}

const shaders: ShaderLibrary = new Map(JSON.parse(readFileSync(0, "utf8")));
const gpu = await openDevice(navigator.gpu, shaders);
assert.ok(gpu, "Deno finds no adapter.");

/** One adapter per kernel variant: workgroup and, if the device has them, subgroup. */
const adapters: AdapterTraits[] = [
  { isSoftware: false, subgroupSizes: undefined },
  { isSoftware: false, subgroupSizes: gpu.subgroupSizes },
];
const variants = new Map(adapters.map((adapter) => [variantOf(adapter), adapter]));

/** Files that were compiled alone or as an import. */
const compiled = new Set<string>();

async function compileKernel({ file, constants }: KernelSource): Promise<void> {
  for (const line of composeShader(shaders, file).lines) compiled.add(line.file);
  await gpu!.kernel(file, constants);
}

async function errorsIn(code: string): Promise<string[]> {
  const { messages } = await gpu!.device.createShaderModule({ code }).getCompilationInfo();
  return messages.filter(({ type }) => type === "error").map(({ message }) => message);
}

const smallScene = scene({ seed: 3 });
for (const pipeline of gpuPipelines) {
  for (const [variant, adapter] of variants) {
    const kernels = kernelsOf({ ...smallScene.config, pipeline }, adapter, smallScene.image);
    for (const [stage, source] of Object.entries(kernels)) {
      await check("compiles", `${pipeline}, ${stage} (${variant})`, () => compileKernel(source));
    }
  }
}

/** A large image, for which lists are sorted, with other override constants. */
const largeImage = { width: 4100, height: 4100 };
const direct = completeConfig({ parameterization: "direct", blend: "sum", background: "black", blobs: 600 });
const [hardware] = adapters;
for (const [stage, source] of Object.entries(kernelsOf(direct, hardware, largeImage))) {
  await check("compiles", `binned, ${stage} of a large image`, () => compileKernel(source));
}

/** Kernels of the benchmark and the chapters are in no table. They are the files that no other file imports. */
const imports = [...shaders.values()].flatMap((text) =>
  Array.from(text.matchAll(/^#import (\S+)/gm), ([, file]) => file),
);
const { constants } = kernelsOf({ ...smallScene.config, pipeline: "tiled" }, gpu).computeDerivatives;
for (const file of shaders.keys()) {
  const composed = composeShader(shaders, file);
  const needsSubgroups = /^enable subgroups/m.test(composed.code);
  if (imports.includes(file) || !composed.code.includes("@compute") || (needsSubgroups && !gpu.subgroupSizes)) continue;
  if (!compiled.has(file)) await check("compiles", file, () => compileKernel({ file, constants }));
}

await check("compiles", "kernels with bounded loops", async () => {
  for (const file of ["tiled/computeDerivatives.wgsl", "binned/5-rasterize.wgsl"]) {
    const { code } = boundLoops(composeShader(shaders, file), 1000);
    assert.deepEqual(await errorsIn(code), []);
  }
});

await check("compiles", "every file of shaders/", async () => {
  // Programs of the benchmark insert the file of stored states.
  const others = [...shaders].filter(
    ([file, text]) => !compiled.has(file) && !/^enable subgroups/m.test(text) && file !== storedStatesFile,
  );
  assert.deepEqual(
    others.map(([file]) => file),
    [],
  );
});

for (const { source, wgpu } of brokenKernels) {
  const library = new Map([...shaders, ["c.wgsl", "fn c() {}"], ["broken.wgsl", source]]);
  await check("reports", wgpu, () => assert.rejects(gpu.kernel("broken.wgsl", {}, library), { message: wgpu }));
}

for (const pipeline of gpuPipelines) {
  // In simple, blobs are decoded in several groups, and in tiled, lists need several passes.
  const gaussiansPerBlock = pipeline === "binned" ? "auto" : 16;
  const job: Scene = { ...smallScene, config: { ...smallScene.config, pipeline, gaussiansPerBlock } };
  const open = async (variant?: ReturnType<typeof variantOf>) =>
    variant ? BinnedPipeline.open(gpu, job, { variant }) : pipelineOf(job.config).open(gpu, job);
  for (const variant of pipeline === "binned" ? variants.keys() : [undefined]) {
    await check("trains", [pipeline, variant].filter(Boolean).join(", "), async () => {
      const opened = await open(variant);
      await assertPassAgrees(opened, job);
      await assertTrainingAgrees(opened, job, 1, 3);
      await opened.free();
    });
  }
}
gpu.close();
