import { attenuationOf, clearPixelState, type PixelState, transformPixelState } from "../../../engine/cpu/blend.js";
import { alphaOf, type Blob, decode, evalFalloff, modelOf } from "../../../engine/cpu/blob.js";
import { calcUV } from "../../../engine/cpu/uv.js";
import type { Scene } from "../../lab/scene.js";
import type { TileList } from "../../lab/tileList.js";

/** A blob of a pixel's stack, and what it is there. */
export interface StackBlob {
  /** Its index among all blobs, which is its depth. */
  index: number;
  blob: Blob;
  /** e^power at the pixel; 0 outside the blob's support. */
  falloff: number;
  /** α at the pixel. */
  alpha: number;
}

/** A pixel of a scene with the blobs of its tile's short-list, front to back. */
export interface PixelStack {
  x: number;
  y: number;
  u: number;
  v: number;
  blobs: StackBlob[];
  /** Its target's red, green and blue, 0..1. */
  target: number[];
}

/** What one turn of the blending loop does to a pixel. */
export interface BlendStep extends StackBlob {
  /** Its place in the short-list, counted from 1. */
  place: number;
  before: PixelState;
  after: PixelState;
  /** Whether the pixel still took blobs. */
  isApplied: boolean;
  /** αT: its share of the pixel. */
  weight: number;
}

/** The stack of a pixel whose tile's list is given. */
export function pixelStack({ config, target, look }: Scene, list: TileList, x: number, y: number): PixelStack {
  const uv = calcUV(target, target);
  const u = x * uv.scaleX + uv.offsetX;
  const v = y * uv.scaleY + uv.offsetY;
  const model = modelOf(config, target);
  const blobs = list.passes.flatMap((pass) =>
    Array.from(pass, (index) => blobAt(index, decode(look.state.parameters, index, model), u, v)),
  );
  const at = 4 * (y * target.width + x);
  return { x, y, u, v, blobs, target: Array.from(target.data.subarray(at, at + 3), (byte) => byte / 255) };
}

/** A blob as a pixel meets it. */
export function blobAt(index: number, blob: Blob, u: number, v: number): StackBlob {
  const falloff = evalFalloff(blob, u, v);
  return { index, blob, falloff, alpha: alphaOf(blob, falloff) };
}

/** The state before the first blob, in float64. */
export function newPixelState(): PixelState {
  return { red: 0, green: 0, blue: 0, transmittance: 1, finalCount: 0 };
}

/**
 * A state whose numbers are kept as float32: each is rounded as it is stored. What is computed between two stores is
 * not, as where a GPU fuses multiplications and additions.
 */
export class Float32State implements PixelState {
  finalCount = 0;
  readonly #values = Float32Array.of(0, 0, 0, 1);

  get red(): number {
    return this.#values[0];
  }
  set red(value: number) {
    this.#values[0] = value;
  }
  get green(): number {
    return this.#values[1];
  }
  set green(value: number) {
    this.#values[1] = value;
  }
  get blue(): number {
    return this.#values[2];
  }
  set blue(value: number) {
    this.#values[2] = value;
  }
  get transmittance(): number {
    return this.#values[3];
  }
  set transmittance(value: number) {
    this.#values[3] = value;
  }
}

/** A state's numbers as they are now. */
export function copyState({ red, green, blue, transmittance, finalCount }: PixelState): PixelState {
  return { red, green, blue, transmittance, finalCount };
}

/** Blends a stack into a pixel, turn by turn. */
export function blendSteps(
  blobs: readonly StackBlob[],
  blend: Parameters<typeof attenuationOf>[0],
  state: PixelState = newPixelState(),
): BlendStep[] {
  const attenuation = attenuationOf(blend);
  clearPixelState(state);
  return blobs.map((entry, at) => {
    const before = copyState(state);
    const isApplied = transformPixelState(state, entry.blob, entry.alpha, attenuation);
    const weight = isApplied ? entry.alpha * before.transmittance : 0;
    return { ...entry, place: at + 1, before, after: copyState(state), isApplied, weight };
  });
}

/** Red, green and blue of a state. */
export function colorOfState({ red, green, blue }: PixelState): [number, number, number] {
  return [red, green, blue];
}
