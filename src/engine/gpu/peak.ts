import type { Peak } from "../pipeline.js";
import type { Gpu } from "./device.js";
import { bind, type Kernel } from "./kernel.js";
import { GpuMemory } from "./memory.js";

/** Constants of the kernels in shaders/bench/: threads per workgroup, links per round, words per thread. */
const constants = { THREADS: 256, LINKS: 8, WORDS: 4 };
/** Chains per thread. */
const chainCount = 16;
/** Enough to fill any GPU many times over. */
const workgroups = 4096;
const threads = workgroups * constants.THREADS;

/** Bytes copied by a workgroup. */
const copiedByWorkgroup = 16 * constants.THREADS * constants.WORDS;
/** Larger than any cache; less on a software adapter, which would take too long. */
const copiedBytes = { gpu: 2 ** 29, software: 2 ** 24 };

/** Long against the cost of a dispatch, short for a browser. */
const minMilliseconds = 20;
const tries = 5;

/**
 * Measures the adapter's peak: multiply-adds in independent chains, and a copy of more bytes than caches hold. The best
 * of five tries each.
 */
export async function measurePeak(gpu: Gpu): Promise<Peak> {
  return {
    multiplyAddsPerSecond: await multiplyAddRate(gpu),
    bytesPerSecond: await copyRate(gpu),
  };
}

async function multiplyAddRate(gpu: Gpu): Promise<number> {
  const memory = new GpuMemory(gpu);
  try {
    const kernel = await gpu.kernel("bench/peak.wgsl", constants);
    const struct = gpu.struct("Chains");
    const chains = memory.buffer("chains", GPUBufferUsage.UNIFORM, struct.bytes);
    const ends = memory.buffer("ends", GPUBufferUsage.STORAGE, 4 * threads);
    const rate = await bestRate(gpu, memory, kernel, { chains, ends }, (pass, rounds) => {
      // The chains converge to 1.
      const bytes = struct.encode([{ factor: 0.999, summand: 0.001, rounds }]) as BufferSource;
      gpu.device.queue.writeBuffer(chains, 0, bytes);
      pass.dispatchWorkgroups(workgroups);
    });
    return rate * threads * chainCount * constants.LINKS;
  } finally {
    memory.free();
  }
}

async function copyRate(gpu: Gpu): Promise<number> {
  const kernel = await gpu.kernel("bench/copy.wgsl", constants);
  const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
  let maxBytes = Math.min(copiedBytes[gpu.isSoftware ? "software" : "gpu"], maxStorageBufferBindingSize, maxBufferSize);
  for (;;) {
    const memory = new GpuMemory(gpu);
    try {
      const copies = Math.floor(maxBytes / copiedByWorkgroup);
      const bytes = copies * copiedByWorkgroup;
      const [source, copied] = ["source", "copied"].map((name) => memory.buffer(name, GPUBufferUsage.STORAGE, bytes));
      if (await memory.errors.takeFirst()) {
        maxBytes /= 4;
        continue;
      }
      const rate = await bestRate(gpu, memory, kernel, { source, copied }, (pass, rounds) => {
        for (let round = 0; round < rounds; round++) pass.dispatchWorkgroups(copies);
      });
      return rate * 2 * bytes;
    } finally {
      memory.free();
    }
  }
}

/**
 * Returns a kernel's rounds per second, over enough rounds to time, by the adapter's clock if it has one.
 * @param encode encodes a number of rounds in a pass
 */
async function bestRate(
  gpu: Gpu,
  memory: GpuMemory,
  kernel: Kernel,
  buffers: Record<string, GPUBuffer>,
  encode: (pass: GPUComputePassEncoder, rounds: number) => void,
): Promise<number> {
  const { device } = gpu;
  const group = memory.errors.within(() => bind(device, kernel, (name) => ({ buffer: buffers[name] })));
  const querySet = gpu.hasTimestamps ? device.createQuerySet({ type: "timestamp", count: 2 }) : undefined;
  const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
  const resolved = querySet && memory.buffer("timestamps", usage, 16);
  const submit = (rounds: number): void => {
    const encoder = device.createCommandEncoder();
    const indices = { beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const pass = encoder.beginComputePass(querySet && { timestampWrites: { querySet, ...indices } });
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, group);
    encode(pass, rounds);
    pass.end();
    if (querySet && resolved) encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
    device.queue.submit([encoder.finish()]);
  };
  const timeOf = async (rounds: number): Promise<number> => {
    const start = performance.now();
    memory.errors.within(() => submit(rounds));
    await device.queue.onSubmittedWorkDone();
    gpu.checkAlive();
    if (!resolved) return performance.now() - start;
    const [began, ended] = new BigUint64Array(await memory.read(resolved));
    return Number(ended - began) / 1e6;
  };
  try {
    let rounds = 1;
    for (;;) {
      const milliseconds = await memory.errors.report(() => timeOf(rounds));
      if (milliseconds >= minMilliseconds) break;
      rounds *= Math.ceil(Math.min(Math.max((1.25 * minMilliseconds) / Math.max(milliseconds, 1e-3), 2), 64));
    }
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < tries; attempt++)
      best = Math.min(best, await memory.errors.report(() => timeOf(rounds)));
    return (1000 * rounds) / best;
  } finally {
    querySet?.destroy();
  }
}
