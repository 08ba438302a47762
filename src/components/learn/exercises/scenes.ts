import { completeConfig, type TrainConfig } from "../../../engine/config.js";
import { colorfulTarget, smoothScene } from "../../../engine/gradientCheck.js";
import type { Image } from "../../../engine/image/image.js";
import { parameterCount } from "../../../engine/model/blobs.js";
import { lossDifference } from "../../../engine/model/oracle.js";
import { uniformGenerator } from "../../../engine/random.js";
import { runTrial, type Trial } from "./trial.js";

/** A small job on which answers are judged. */
export interface Scene {
  /** What it renders, in words that follow "a small image:". */
  description: string;
  config: TrainConfig;
  image: Image;
  /** Raw parameters, field-major. */
  parameters: Float32Array;
  /** Training steps after the first render and gradients. */
  steps: number;
  /** Whether the loss has no kinks near the parameters, so that finite differences give the gradients. */
  isSmooth: boolean;
}

/** Half the distance of the central differences, in raw parameters. */
const step = 1e-4;

/** The settings of all scenes. */
const fields = { pipeline: "tiled", biasCorrection: "exact", schedule: "cosine", steps: 6, gaussiansPerBlock: 16 };

/** The scenes, in the order in which an answer is judged. */
export const scenes: readonly Scene[] = [wideScene(), crowdedScene(), sumScene()];

/** The scene of the gradient check: three wide blobs that cover all pixels of 12 tiles. */
function wideScene(): Scene {
  const description = "three large blobs on 24 × 16 pixels, with gradients by finite differences of the loss";
  return { description, ...smoothScene(completeConfig(fields)), steps: 3, isSmooth: true };
}

/**
 * 48 blobs on tiles that do not divide the image: lists of more than the capacity, opaque pixels, α at its ceiling, raw
 * parameters outside of 0..1, blobs outside the image, and distant blobs that no tile should list.
 */
function crowdedScene(): Scene {
  const between = generator(2);
  const blobs = Array.from({ length: 48 }, () => [
    ...[between(-0.1, 1.1), between(-0.1, 1.1)],
    ...[between(0.1, 0.9), between(0.1, 0.9)],
    between(0.3, 1.3),
    ...[between(-0.2, 1.4), between(-0.2, 1.4), between(-0.2, 1.4)],
    between(0.3, 1.05),
  ]);
  // Its centre is on a pixel, where α would be 0.998.
  blobs[0] = [0.5, 0.5, 0.4, 0.4, 0.8, 0.9, 0.2, 0.4, 0.97];
  const description = "48 blobs on 18 × 14 pixels, too many for a tile list, so tiles take several passes";
  return scene(description, { covarianceScale: 0.03 }, [18, 14], blobs);
}

/** Direct parameters, a sum over black, and tiles of 256 threads. */
function sumScene(): Scene {
  const between = generator(3);
  const blobs = Array.from({ length: 12 }, () => [
    ...[between(2, 38), between(2, 22)],
    ...[Math.log(between(2, 7)), Math.log(between(2, 7))],
    between(-0.8, 0.8),
    ...[between(0, 1), between(0, 1), between(0, 1)],
    between(-1, 2),
  ]);
  const config = {
    ...{ parameterization: "direct", blend: "sum", background: "black" },
    ...{ tile: [16, 16], gaussiansPerBlock: 32 },
  };
  return scene("12 blobs on 40 × 24 pixels, which are summed instead of composited", config, [40, 24], blobs);
}

function generator(seed: number) {
  const random = uniformGenerator(seed);
  return (low: number, high: number) => low + (high - low) * random();
}

function scene(
  description: string,
  config: Partial<Record<keyof TrainConfig, unknown>>,
  [width, height]: [number, number],
  blobs: number[][],
): Scene {
  const parameters = new Float32Array(parameterCount * blobs.length);
  for (const [i, values] of blobs.entries()) {
    for (const [field, value] of values.entries()) parameters[field * blobs.length + i] = value;
  }
  return {
    description,
    config: completeConfig({ ...fields, blobs: blobs.length, ...config }),
    image: colorfulTarget({ width, height }),
    parameters,
    steps: 3,
    isSmooth: false,
  };
}

const expectedTrials = new Map<Scene, Trial>();

/** Returns what a scene must compute: by the CPU reference, and in the smooth scene by finite differences of the loss. */
export function expectedOf(scene: Scene): Trial {
  const known = expectedTrials.get(scene);
  if (known) return known;
  const { config, image, parameters, steps, isSmooth } = scene;
  const trial = runTrial(config, image, parameters, steps);
  const expected = isSmooth
    ? {
        ...trial,
        gradients: trial.gradients.map((_, slot) => lossDifference(config, image, parameters, slot, step)),
      }
    : trial;
  expectedTrials.set(scene, expected);
  return expected;
}
