import { initialState, parameterCount, type TrainingState, uniformGenerator } from "../../src/engine/blobs.js";
import { completeConfig, type TrainConfig } from "../../src/engine/config.js";
import type { Image } from "../../src/engine/image.js";

/** A job small enough for the software adapter, repeatable from its seed. */
export interface Scene {
  config: TrainConfig;
  image: Image;
  state: TrainingState;
}

/** Smooth colour waves with a little noise, so that every parameter has a gradient. */
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

/** A scene at a random start, with short-lists of 64, because barriers are slow on the software adapter. */
export function scene(given: Partial<Record<keyof TrainConfig, unknown>>, width = 20, height = 14): Scene {
  const config = completeConfig({ blobs: 30, gaussiansPerBlock: 64, ...given });
  return { config, image: testImage(width, height, config.seed), state: initialState(config) };
}

/** Sets one raw parameter of every blob, or of one. */
export function setParameter({ config, state }: Scene, field: number, value: number, blob?: number): void {
  const first = field * config.blobs;
  if (blob === undefined) state.parameters.fill(value, first, first + config.blobs);
  else state.parameters[first + blob] = value;
}

/** The largest absolute gradient of each parameter: the scale of its tolerance. */
export function gradientScales(gradients: ArrayLike<number>): number[] {
  const blobs = gradients.length / parameterCount;
  return Array.from({ length: parameterCount }, (_, field) => {
    let largest = 0;
    for (let i = field * blobs; i < (field + 1) * blobs; i++) largest = Math.max(largest, Math.abs(gradients[i]));
    return largest;
  });
}
