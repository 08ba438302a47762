import { completeConfig, type PipelineName, type TrainConfig } from "../../src/engine/config.js";
import type { Image } from "../../src/engine/image/image.js";
import { parameterCount, type TrainingState } from "../../src/engine/model/blobs.js";
import { uniformGenerator } from "../../src/engine/random.js";
import { initialState } from "../../src/engine/training/initialState.js";

/** A small job for the software adapter, reproducible from its seed. */
export interface Scene {
  config: TrainConfig;
  image: Image;
  state: TrainingState;
}

/** Returns smooth colour waves with some noise, which give every parameter a gradient. */
export function testImage(width: number, height: number, seed = 1): Image {
  const random = uniformGenerator(seed);
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = 4 * (y * width + x);
      for (let channel = 0; channel < 3; channel++) {
        const wave = Math.sin((5 * x) / width + channel) * Math.cos((4 * y) / height - channel);
        data[pixel + channel] = 255 * (0.5 + 0.4 * wave + 0.1 * (random() - 0.5));
      }
      data[pixel + 3] = 255;
    }
  }
  return { width, height, data };
}

/** Returns a scene with a random start; in `tiled` with lists of 64, because barriers are slow on the software adapter. */
export function scene(overrides: Partial<Record<keyof TrainConfig, unknown>>, width = 20, height = 14): Scene {
  const gaussiansPerBlock = overrides.pipeline === "tiled" ? 64 : "auto";
  const config = completeConfig({ blobs: 30, gaussiansPerBlock, ...overrides });
  const image = testImage(width, height, config.seed);
  return { config, image, state: initialState(config, image) };
}

/**
 * Returns a scene of direct blobs, by default summed over black: with centres in the image and a few just outside,
 * deviations of 1 to 5 pixels, every fourth blob thinner than a pixel along one axis, artanh ρ up to ±2.5, and colours
 * of either sign.
 */
export function directScene(
  overrides: Partial<Record<keyof TrainConfig, unknown>> = {},
  width = 20,
  height = 14,
): Scene {
  const job = scene({ parameterization: "direct", blend: "sum", background: "black", ...overrides }, width, height);
  const { blobs, seed } = job.config;
  const random = uniformGenerator(seed + 1000);
  const randomBetween = (low: number, high: number) => low + (high - low) * random();
  for (let blob = 0; blob < blobs; blob++) {
    const logDeviations = [Math.log(randomBetween(1, 5)), Math.log(randomBetween(1, 5))];
    if (blob % 4 === 1) logDeviations[(blob >> 2) % 2] = Math.log(randomBetween(0.05, 0.4));
    const center = [randomBetween(-1.5, width + 0.5), randomBetween(-1.5, height + 0.5)];
    const color = [randomBetween(-0.6, 0.9), randomBetween(-0.6, 0.9), randomBetween(-0.6, 0.9)];
    const values = [...center, ...logDeviations, randomBetween(-2.5, 2.5), ...color, randomBetween(-2, 3)];
    for (const [field, value] of values.entries()) setParameter(job, field, value, blob);
  }
  return job;
}

/** How blobs are parameterized, blended and composited. */
export type Model = Pick<TrainConfig, "parameterization" | "blend" | "background">;

/** The models besides the original algorithm's: each blend with each background. */
export const models: Model[] = [
  { parameterization: "smoothstep", blend: "over", background: "black" },
  { parameterization: "smoothstep", blend: "sum", background: "white" },
  { parameterization: "smoothstep", blend: "sum", background: "black" },
  { parameterization: "direct", blend: "over", background: "original" },
  { parameterization: "direct", blend: "over", background: "white" },
  { parameterization: "direct", blend: "over", background: "black" },
  { parameterization: "direct", blend: "sum", background: "white" },
  { parameterization: "direct", blend: "sum", background: "black" },
];

/** Each parameterization with each blend, and each background at least once. */
export const blendModels: Model[] = [
  { parameterization: "smoothstep", blend: "over", background: "original" },
  { parameterization: "smoothstep", blend: "sum", background: "black" },
  { parameterization: "direct", blend: "over", background: "white" },
  { parameterization: "direct", blend: "sum", background: "black" },
];

/** Returns the title of a model. */
export function modelName({ parameterization, blend, background }: Model): string {
  return `${parameterization} blobs, blend ${blend}, ${background} background`;
}

/** Returns a random scene for a model. */
export function sceneOf(
  model: Model,
  overrides: Partial<Record<keyof TrainConfig, unknown>> = {},
  width?: number,
  height?: number,
): Scene {
  const makeScene = model.parameterization === "direct" ? directScene : scene;
  return makeScene({ ...model, ...overrides }, width, height);
}

/** Sets one raw parameter of all blobs, or of one. */
export function setParameter({ config, state }: Scene, field: number, value: number, blob?: number): void {
  const first = field * config.blobs;
  if (blob === undefined) state.parameters.fill(value, first, first + config.blobs);
  else state.parameters[first + blob] = value;
}

/** Returns a scene of a single pixel with clamped gradients. */
export function clampedScene(pipeline: PipelineName, overrides: object = {}): Scene {
  const job = scene({ pipeline, blobs: 4, covarianceScale: 1e-10, seed: 7, ...overrides }, 1, 1);
  for (let blob = 0; blob < 4; blob++) {
    for (const field of [0, 1]) setParameter(job, field, 0.0008 + 0.0002 * blob, blob);
  }
  return job;
}

/** Returns small blobs of `binned` that grow in the first steps to cover most of the 40 tiles. */
export function growingScene(): Scene {
  const job = scene({ pipeline: "binned", blobs: 20, learningRate: 0.1, covarianceScale: 0.2 }, 80, 64);
  for (const field of [2, 3]) setParameter(job, field, 0.02);
  // Away from the edges, where gradients of centres vanish and Adam amplifies their rounding.
  const { parameters } = job.state;
  for (let slot = 0; slot < 2 * job.config.blobs; slot++) parameters[slot] = 0.2 + 0.6 * parameters[slot];
  return job;
}

/** Returns the largest absolute gradient of each parameter, which scales its tolerance. */
export function gradientScales(gradients: ArrayLike<number>): number[] {
  const blobs = gradients.length / parameterCount;
  return Array.from({ length: parameterCount }, (_, field) => {
    let largest = 0;
    for (let i = field * blobs; i < (field + 1) * blobs; i++) largest = Math.max(largest, Math.abs(gradients[i]));
    return largest;
  });
}

/** Returns a scene to train for eight steps, with rates per group, a schedule and exact bias correction. */
export function scheduledScene(
  model: Model,
  schedule: "exponential" | "cosine",
  overrides: Partial<TrainConfig> = {},
): Scene {
  const rates = { centerRate: 3, varianceRate: 0.7, correlationRate: 1.5, colorRate: 0.4, opacityRate: 2 };
  const options = { ...rates, schedule, finalRate: 0.05, biasCorrection: "exact", learningRate: 0.01, steps: 8 };
  return sceneOf(model, { ...options, blobs: 24, seed: 21, ...overrides });
}
