import type { Size } from "../../src/engine/cpu/uv.js";
import { type Bindings, type Gpu, GpuMemory } from "../../src/engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants, momentsOf } from "../../src/engine/gpu/pipeline.js";
import { shaders, withGpu } from "./gpu.js";
import type { Scene } from "./scenes.js";

/** What a kernel under test is given, besides the scene. */
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

/** What it left behind. */
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

/** Runs a few lines of WGSL that import stages of the project, on the software adapter, over a scene's buffers. */
export function runKernel(scene: Scene, run: KernelRun): Promise<KernelResult> {
  const library = new Map(shaders).set("test.wgsl", `${run.code}\n${prelude}`);
  return withGpu((gpu) => dispatch(gpu, scene, run), { library });
}

async function dispatch(gpu: Gpu, { config, image, state }: Scene, run: KernelRun): Promise<KernelResult> {
  const [TILE_WIDTH, TILE_HEIGHT] = config.tile;
  const constants = {
    ...modelConstants(config),
    TILE_WIDTH,
    TILE_HEIGHT,
    GAUSSIANS_PER_BLOCK: config.gaussiansPerBlock,
  };
  const parametersAccess = /var<storage, read_write> parameters|updateBlobs/.test(run.code)
    ? "storage"
    : "read-only-storage";
  const bindings: Bindings = {
    0: "uniform",
    1: "uniform",
    2: parametersAccess,
    3: "storage",
    5: "read-only-storage",
    6: "storage",
    10: "read-only-storage",
    11: "storage",
  };
  const kernel = await gpu.kernel("test.wgsl", bindings, constants);
  const memory = new GpuMemory(gpu);
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const { width, height } = run.renderSize ?? image;
  const share = { size: { width, height }, first: 0, end: 0xffffffff, step: run.step ?? 1 };
  const buffers: Record<number, GPUBuffer> = {
    0: memory.buffer("job", GPUBufferUsage.UNIFORM, jobUniform(config, image)),
    1: memory.buffer("dispatch", GPUBufferUsage.UNIFORM, dispatchUniform([share], config)),
    2: memory.buffer("parameters", storage, state.parameters),
    3: memory.buffer("gradients", storage, run.gradients ?? state.parameters.byteLength),
    5: memory.buffer("target", storage, image.data),
    6: memory.buffer("moments", storage, momentsOf(state)),
    10: memory.buffer("given", storage, run.given ?? 4),
    11: memory.buffer("result", storage, 4 * run.words),
  };
  const entries = kernel.bindings.map((binding) => ({ binding, resource: { buffer: buffers[binding] } }));
  const encoder = gpu.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(kernel.pipeline);
  pass.setBindGroup(0, gpu.device.createBindGroup({ layout: kernel.layout, entries }), [0]);
  pass.dispatchWorkgroups(run.workgroups ?? 1);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
  const result = await memory.read(buffers[11], 4 * run.words);
  const parameters = new Float32Array(await memory.read(buffers[2], state.parameters.byteLength));
  const gradients = new Float32Array(await memory.read(buffers[3], state.parameters.byteLength));
  memory.free();
  return { floats: new Float32Array(result), words: new Uint32Array(result), parameters, gradients };
}
