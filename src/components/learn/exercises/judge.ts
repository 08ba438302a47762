import { parameterCount, rawNames } from "../../../engine/model/blobs.js";
import type { Trial } from "../../../engine/model/trial.js";
import { expectedOf, type Scene } from "./scenes.js";

/** The first number of a trial that is wrong. */
export interface Fault {
  /** What it is, such as "∂L/∂opacity of blob 2". */
  quantity: string;
  found: number;
  expected: number;
  /** What the expected number comes from, as a noun phrase. */
  source: string;
}

/** As for every pipeline: all but one pixel in a thousand within the first error, all within the second. */
const [renderTolerance, worstRenderTolerance] = [1e-3, 5e-3];
/** As a fraction of the largest gradient of the same raw parameter. */
const gradientTolerance = 2e-3;
/** As a fraction of the learning rate, after all steps. */
const stepTolerance = 0.05;

const channels = ["red", "green", "blue", "transmittance"];

/** Returns the first wrong pixel, gradient or updated parameter of a trial; undefined if all are right. */
export function findFault(scene: Scene, trial: Trial): Fault | undefined {
  return findPixel(scene, trial) ?? findGradient(scene, trial) ?? findParameter(scene, trial);
}

function findPixel(scene: Scene, { render }: Trial): Fault | undefined {
  const expected = expectedOf(scene).render;
  const isWrong = (at: number, tolerance: number) => !(Math.abs(render[at] - expected[at]) <= tolerance);
  const wrong = [...expected.keys()].filter((at) => isWrong(at, renderTolerance));
  const pixels = new Set(wrong.map((at) => at >> 2));
  if (pixels.size <= 1 && !wrong.some((at) => isWrong(at, worstRenderTolerance))) return undefined;
  const [at] = wrong;
  const { width } = scene.image;
  const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)];
  const quantity = `${channels[at & 3]} of pixel (${x}, ${y})`;
  return { quantity, found: render[at], expected: expected[at], source: "the CPU reference" };
}

function findGradient(scene: Scene, { gradients }: Trial): Fault | undefined {
  const expected = expectedOf(scene).gradients;
  const largest = largestOfFields(expected);
  const blobs = expected.length / parameterCount;
  const slot = expected.findIndex(
    (value, i) => !(Math.abs(gradients[i] - value) <= gradientTolerance * largest[Math.floor(i / blobs)]),
  );
  if (slot < 0) return undefined;
  const source = scene.isSmooth ? "the finite difference of the loss" : "the CPU reference";
  return {
    quantity: `∂L/∂${nameOfSlot(scene, slot)}`,
    found: gradients[slot],
    expected: expected[slot],
    source,
  };
}

function findParameter(scene: Scene, { parameters }: Trial): Fault | undefined {
  const { gradients, parameters: expected } = expectedOf(scene);
  const largest = largestOfFields(gradients);
  const blobs = expected.length / parameterCount;
  const slot = expected.findIndex((value, i) => {
    // Adam divides by the size of the gradient: the sign of a negligible one is up to rounding.
    if (Math.abs(gradients[i]) < 0.02 * largest[Math.floor(i / blobs)]) return false;
    return !(Math.abs(parameters[i] - value) <= stepTolerance * scene.config.learningRate);
  });
  if (slot < 0) return undefined;
  return {
    quantity: `${nameOfSlot(scene, slot)} after ${scene.steps} steps`,
    found: parameters[slot],
    expected: expected[slot],
    source: "the CPU reference",
  };
}

function largestOfFields(values: Float64Array): number[] {
  const blobs = values.length / parameterCount;
  return Array.from({ length: parameterCount }, (_, field) =>
    Math.max(...values.subarray(field * blobs, (field + 1) * blobs).map(Math.abs)),
  );
}

function nameOfSlot({ config, parameters }: Scene, slot: number): string {
  const blobs = parameters.length / parameterCount;
  return `${rawNames(config.parameterization)[Math.floor(slot / blobs)]} of blob ${slot % blobs}`;
}

/** Returns whether two trials have the same results within rounding. */
export function isSameTrial(a: Trial, b: Trial): boolean {
  return (["render", "gradients", "parameters"] as const).every((part) => {
    const largest = Math.max(...Array.from(a[part], Math.abs).filter(Number.isFinite), 1e-30);
    return a[part].every((value, i) => {
      const other = b[part][i];
      return (
        value === other || Math.abs(value - other) <= 1e-3 * largest || (Number.isNaN(value) && Number.isNaN(other))
      );
    });
  });
}
