import { parameterCount, rawNames } from "../../../engine/model/blobs.js";
import { expectedOf, type Scene } from "./scenes.js";
import type { Trial } from "./trial.js";

/** The first number of a trial that is wrong. */
export interface Fault {
  /** What it is, such as "∂L/∂opacity of blob 2". */
  quantity: string;
  found: number;
  expected: number;
}

/** As for every pipeline: all but one pixel in a thousand within the first error, all within the second. */
const [renderTolerance, worstRenderTolerance] = [1e-3, 5e-3];
/** As a fraction of the largest gradient of the same raw parameter. */
const gradientTolerance = 2e-3;
/** As a fraction of the learning rate, after all steps. */
const stepTolerance = 0.05;

const channels = ["red", "green", "blue", "transmittance"];

/** As a fraction: whether a box that touches a tile meets it is up to rounding. */
const listTolerance = 0.01;

/** Returns the first wrong pixel, gradient, updated parameter or list of a trial; undefined if all are right. */
export function findFault(scene: Scene, trial: Trial): Fault | undefined {
  return (
    findPixel(scene, trial) ?? findGradient(scene, trial) ?? findParameter(scene, trial) ?? findLists(scene, trial)
  );
}

function findLists(scene: Scene, { intersections: found }: Trial): Fault | undefined {
  const expected = expectedOf(scene).intersections!;
  if (found === undefined || Math.abs(found - expected) <= listTolerance * expected) return undefined;
  return { quantity: "the number of blobs in all tile lists together", found, expected };
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
  return { quantity, found: render[at], expected: expected[at] };
}

function findGradient(scene: Scene, { gradients }: Trial): Fault | undefined {
  const expected = expectedOf(scene).gradients;
  const largest = largestOfFields(expected);
  const blobs = expected.length / parameterCount;
  const slot = expected.findIndex(
    (value, i) => !(Math.abs(gradients[i] - value) <= gradientTolerance * largest[Math.floor(i / blobs)]),
  );
  if (slot < 0) return undefined;
  return { quantity: `∂L/∂${nameOfSlot(scene, slot)}`, found: gradients[slot], expected: expected[slot] };
}

function findParameter(scene: Scene, { parameters }: Trial): Fault | undefined {
  const { gradients, parameters: expected } = expectedOf(scene);
  const largest = largestOfFields(gradients);
  const blobs = expected.length / parameterCount;
  const slot = expected.findIndex((value, i) => {
    // Adam divides by the size of the gradient: the sign of a negligible one is up to rounding.
    const isNegligible = Math.abs(gradients[i]) < 0.02 * largest[Math.floor(i / blobs)];
    if (isNegligible && Number.isFinite(parameters[i])) return false;
    return !(Math.abs(parameters[i] - value) <= stepTolerance * scene.config.learningRate);
  });
  if (slot < 0) return undefined;
  return {
    quantity: `${nameOfSlot(scene, slot)} after ${scene.steps} steps`,
    found: parameters[slot],
    expected: expected[slot],
  };
}

function largestOfFields(values: Float64Array): number[] {
  const blobs = values.length / parameterCount;
  return Array.from({ length: parameterCount }, (_, field) =>
    Math.max(...values.subarray(field * blobs, (field + 1) * blobs).map(Math.abs)),
  );
}

/** Returns a raw parameter in the words of the chapters, such as "centre x of blob 2". */
function nameOfSlot({ config, parameters }: Scene, slot: number): string {
  const blobs = parameters.length / parameterCount;
  const name = rawNames(config.parameterization)[Math.floor(slot / blobs)];
  return `${name.replace("center", "centre").replaceAll("_", " ")} of blob ${slot % blobs}`;
}

/** Returns whether two trials of a scene have the same results within rounding. */
export function isSameTrial({ config }: Scene, a: Trial, b: Trial): boolean {
  if (a.intersections !== b.intersections) return false;
  const largest = largestOfFields(a.gradients);
  const blobs = a.gradients.length / parameterCount;
  return (["render", "gradients", "parameters"] as const).every((part) => {
    const values = Math.max(...Array.from(a[part], Math.abs).filter(Number.isFinite), 1e-30);
    const tolerance = part === "parameters" ? 0.02 * config.learningRate : 1e-3 * values;
    return a[part].every((value, i) => {
      const other = b[part][i];
      const isRounding = part === "parameters" && Math.abs(a.gradients[i]) < 0.02 * largest[Math.floor(i / blobs)];
      return isRounding || Object.is(value, other) || value === other || Math.abs(value - other) <= tolerance;
    });
  });
}
