// Endurance of training, on this machine's GPU through Dawn. Each mode prints one JSON object, and exits with 1 if it fails:
//   node --import tsx test/endurance.ts losing [LOSSES] [BLOBS] [SIZE] [STEPS]   compares the bits with a run without device loss
//   node --expose-gc --import tsx test/endurance.ts steps [STEPS] [BLOBS] [SIZE]  memory while it trains
//   node --expose-gc --import tsx test/endurance.ts reruns [SECONDS] [BLOBS] [SIZE]  memory over many short runs
// For a host without packages: npx esbuild test/endurance.ts --bundle --platform=node --format=esm --external:webgpu
// --outfile=FOLDER/endurance.mjs, with shaders/ and node_modules/webgpu in the same folder.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { completeConfig, type PipelineName } from "../src/engine/config.js";
import { gpuBackend } from "../src/engine/gpu/backend.js";
import type { Gpu } from "../src/engine/gpu/device.js";
import { type Backend, DeviceLostError, type Pipeline } from "../src/engine/pipeline.js";
import { uniformGenerator } from "../src/engine/random.js";
import { Trainer } from "../src/engine/training/trainer.js";
import { openGpu } from "../src/host/node/gpu.js";
import { readShaders } from "../src/host/node/shaderFiles.js";
import { testImage } from "./support/scenes.js";

const [mode, ...numbers] = process.argv.slice(2);
const folders = ["../shaders", "shaders"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const shaders = await readShaders(folders.find((path) => existsSync(path))!);

async function open(): Promise<Gpu> {
  const { gpu, reason } = await openGpu(shaders);
  if (!gpu) throw new Error(reason);
  return gpu;
}

let gpu = await open();
let opened: Pipeline | undefined;
const reopening = gpuBackend(gpu, async () => {
  gpu = await open();
  return gpu;
});
/** Reports the pipeline in use. */
const backend: Backend = {
  ...reopening,
  get description() {
    return reopening.description;
  },
  open: async (...job) => {
    opened = await reopening.open(...job);
    return opened;
  },
};

function jobOf(steps: number, blobs = 40_960, size = 512, pipeline: PipelineName = "binned") {
  const config = completeConfig({ pipeline, steps, blobs, tile: [8, 4] });
  return { config, image: testImage(size, size) };
}

async function losing(losses = 20, blobs?: number, size?: number, steps = 150_000) {
  const { config, image } = jobOf(steps, blobs, size);
  /** Trains with snapshots, as `fit` does, and loses a number of devices. */
  const train = async (most: number) => {
    const random = uniformGenerator(1);
    const trainer = new Trainer(config, image, backend);
    const lostAt: number[] = [];
    let recoveries = 0;
    let lastLook = performance.now();
    for await (const snapshot of trainer.run()) {
      recoveries = snapshot.recoveries;
      if (performance.now() - lastLook > 500) {
        await trainer.inspect().catch(unlessLost);
        lastLook = performance.now();
      }
      // One at a random moment of each section of the run.
      const next = (steps * (lostAt.length + 0.5)) / (most + 2);
      if (lostAt.length < most && recoveries === lostAt.length && snapshot.step > next && snapshot.step < steps) {
        lostAt.push(snapshot.step);
        const { device } = gpu;
        setTimeout(() => device.destroy(), 60 * random());
      }
    }
    const { state, gradients } = await trainer.inspect();
    const { data } = await trainer.render();
    return {
      lostAt,
      recoveries,
      seconds: trainer.seconds,
      all: { ...state, gradients, render: data as Float32Array },
    };
  };
  const reference = await train(0);
  const own = await train(losses);
  const same = (["parameters", "firstMoments", "secondMoments", "gradients", "render"] as const).filter((name) =>
    Buffer.from(own.all[name].buffer).equals(Buffer.from(reference.all[name].buffer)),
  );
  const { lostAt, recoveries } = own;
  const isSame = same.length === 5 && recoveries === losses && own.all.step === steps;
  return { isSame, losses, recoveries, lostAt, same, seconds: [reference.seconds, own.seconds] };
}

function unlessLost(error: unknown): void {
  if (!(error instanceof DeviceLostError)) throw error;
}

interface Sample {
  at: number;
  /** Megabytes of the process, the JavaScript heap and external memory. */
  rss: number;
  heap: number;
  external: number;
  /** Bytes and number of the device's buffers. */
  device: number;
  buffers: number;
}

async function sample(at: number): Promise<Sample> {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const bytes = Object.values((await opened?.allocated?.().catch(() => undefined)) ?? {});
  const device = bytes.reduce((sum, each) => sum + each, 0);
  const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(2));
  return {
    at,
    rss: megabytes(rss),
    heap: megabytes(heapUsed),
    external: megabytes(external),
    device,
    buffers: gpu.liveBuffers,
  };
}

/** Returns whether memory grew by at most 2 % and 4 MB since a fifth of the run. */
function isFlat(samples: Sample[]): boolean {
  const early = samples[Math.floor(samples.length / 5)];
  const last = samples.at(-1)!;
  const fits = (["rss", "heap", "external"] as const).every((name) => last[name] <= 1.02 * early[name] + 4);
  return fits && last.device === early.device && last.buffers === early.buffers;
}

async function manySteps(steps = 1_000_000, blobs?: number, size?: number) {
  const { config, image } = jobOf(steps, blobs, size);
  const trainer = new Trainer(config, image, backend);
  const samples: Sample[] = [];
  let next = steps / 50;
  for await (const { step } of trainer.run()) {
    if (step < next || step >= steps) continue;
    samples.push(await sample(step));
    next += steps / 50;
  }
  return { isFlat: isFlat(samples), steps: trainer.step, seconds: trainer.seconds, samples };
}

async function reruns(seconds = 600, blobs?: number, size?: number) {
  const { config, image } = jobOf(1_000_000, blobs, size);
  const samples: Sample[] = [];
  const start = performance.now();
  let next = 0;
  let runs = 0;
  for (; performance.now() - start < 1000 * seconds; runs++) {
    const trainer = new Trainer({ ...config, learningRate: 0.001 * (1 + (runs % 10)) }, image, backend);
    for await (const { step } of trainer.run({ recordEvery: 20 })) if (step >= 40) break;
    opened = undefined;
    if (performance.now() - start < next) continue;
    samples.push(await sample(runs));
    next += (1000 * seconds) / 50;
  }
  return { isFlat: isFlat(samples), runs, seconds, samples };
}

const modes = { losing, steps: manySteps, reruns } as const;
const run = modes[mode as keyof typeof modes];
if (!run) throw new Error(`The mode must be one of ${Object.keys(modes).join(", ")}.`);
const result = await run(...numbers.map(Number));
console.log(JSON.stringify({ mode, adapter: backend.description, ...result }));
const isFine = "isSame" in result ? result.isSame : result.isFlat;
gpu.close();
process.exit(isFine ? 0 : 1);
