import type { Blend } from "../../../engine/config.js";
import { attenuationOf, clearPixelState, type PixelState, transformPixelState } from "../../../engine/model/blend.js";
import { alphaOf, type Blob, decode, evalFalloff, modelOf } from "../../../engine/model/blob.js";
import { calcUV } from "../../../engine/model/uv.js";
import { colorAt } from "../../../engine/training/initialState.js";
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
  isChanged?: boolean;
}

/** A pixel of a scene with the blobs of its tile's short-list, front to back. */
export type PixelStack = ReturnType<typeof pixelStack>;

/** What one turn of the blending loop does to a pixel. */
export type BlendStep = ReturnType<typeof blendSteps>[number];

/** The stack of a pixel whose tile's list is given. */
export function pixelStack(scene: Scene, list: TileList, x: number, y: number) {
  const { config, target, inspection: snapshot } = scene;
  const uv = calcUV(target, target);
  const u = x * uv.scaleX + uv.offsetX;
  const v = y * uv.scaleY + uv.offsetY;
  const model = modelOf(config, target);
  const blobs: StackBlob[] = list.passes.flatMap((pass) =>
    Array.from(pass, (index) => blobAt(index, decode(snapshot.state.parameters, index, model), u, v)),
  );
  const targetColor: number[] = colorAt(target, y * target.width + x);
  return { scene, list, x, y, u, v, blobs, target: targetColor };
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
 * The same, whose numbers are float32: each is rounded as it is stored. What is computed between two stores is not, as
 * where a GPU fuses multiplications and additions.
 */
export function float32State(): PixelState {
  return new Proxy(newPixelState(), {
    set: (state, name: keyof PixelState, value: number) => {
      state[name] = Math.fround(value);
      return true;
    },
  });
}

/** Blends a stack into a pixel by the twin's own turns of the loop. */
export function blendSteps(blobs: readonly StackBlob[], blend: Blend, state = newPixelState()) {
  const attenuation = attenuationOf(blend);
  clearPixelState(state);
  let after = { ...state };
  return blobs.map((entry, index) => {
    const before = after;
    const isApplied = transformPixelState(state, entry.blob, entry.alpha, attenuation);
    after = { ...state };
    const weight = isApplied ? entry.alpha * before.transmittance : 0;
    // The place is counted from 1; the weight, αT, is the blob's share of the pixel.
    return { ...entry, position: index + 1, before, after, isApplied, weight };
  });
}

/** Red, green and blue of a state, or of a blob. */
export function colorOf({ red, green, blue }: Record<"red" | "green" | "blue", number>): number[] {
  return [red, green, blue];
}
