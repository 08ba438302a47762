import { listCapacity } from "../../src/engine/config.js";
import type { Gpu } from "../../src/engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../src/engine/gpu/uniforms.js";
import { type BenchKernel, runKernel as runAlone } from "../../src/engine/gpu/workbench.js";
import type { Size } from "../../src/engine/image/image.js";
import { shaders } from "./gpu.js";
import type { Scene } from "./scenes.js";

/** Inputs of a kernel under test, besides the scene. */
export interface KernelRun {
  /** WGSL with a `main`; it reads `given` and writes `result`. */
  code: string;
  given?: Float32Array | Uint32Array;
  /** Words of `result`. */
  words: number;
  workgroups?: number;
  renderSize?: Size;
  step?: number;
  /** Contents of the gradient buffer at the start; zeros if absent. */
  gradients?: Float32Array;
}

/** Buffers after the kernel. */
export interface KernelResult {
  floats: Float32Array;
  words: Uint32Array;
  parameters: Float32Array;
  gradients: Float32Array;
}

const prelude = `
@group(0) @binding(10) var<storage, read> given: array<u32>;
@group(0) @binding(11) var<storage, read_write> result: array<u32>;
fn givenFloat(i: u32) -> f32 { return bitcast<f32>(given[i]); }
fn writeFloat(i: u32, value: f32) { result[i] = bitcast<u32>(value); }
`;

/** Runs a few lines of WGSL that import stages of the project over a scene's buffers. */
export async function runKernel(gpu: Gpu, { config, image, state }: Scene, run: KernelRun): Promise<KernelResult> {
  const library = new Map(shaders).set("test.wgsl", `${run.code}\n${prelude}`);
  const [TILE_WIDTH, TILE_HEIGHT] = config.tile;
  const constants = {
    ...modelConstants(config),
    TILE_WIDTH,
    TILE_HEIGHT,
    GAUSSIANS_PER_BLOCK: listCapacity(config),
  };
  const { width, height } = run.renderSize ?? image;
  const range = { size: { width, height }, first: 0, end: 0xffffffff, step: run.step ?? 1 };
  const buffers: BenchKernel["buffers"] = {
    job: jobUniform(shaders, config, image),
    dispatch: dispatchUniform(shaders, [range], config),
    parameters: state.parameters,
    gradients: run.gradients ?? state.parameters.byteLength,
    targetImage: image.data,
    firstMoments: state.firstMoments,
    secondMoments: state.secondMoments,
    given: run.given ?? 4,
    result: 4 * run.words,
  };
  const outputs = await runAlone(
    gpu,
    { file: "test.wgsl", constants, buffers, workgroups: run.workgroups ?? 1 },
    library,
  );
  return {
    floats: new Float32Array(outputs.result ?? 0, 0, run.words),
    words: new Uint32Array(outputs.result ?? 0, 0, run.words),
    parameters: new Float32Array(outputs.parameters ?? state.parameters),
    gradients: new Float32Array(outputs.gradients ?? 0),
  };
}
