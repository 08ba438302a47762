import type { TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";

/** A run at its last step, which the figures of the chapters inspect. */
export interface Snapshot {
  /** Name of the image. */
  name: string;
  config: TrainConfig;
  image: Image;
  state: TrainingState;
}

/** The same as JSON, with arrays in base64. */
export interface SnapshotFile extends Pick<Snapshot, "name" | "config"> {
  image: { width: number; height: number; data: string };
  state: Record<"parameters" | "firstMoments" | "secondMoments", string> & { step: number };
}

/** Returns a snapshot as JSON. */
export function writeSnapshot({ name, config, image, state }: Snapshot): SnapshotFile {
  const { step, parameters, firstMoments, secondMoments } = state;
  const moments = { firstMoments: textOf(firstMoments), secondMoments: textOf(secondMoments) };
  return {
    name,
    config,
    image: { ...image, data: textOf(image.data) },
    state: { step, parameters: textOf(parameters), ...moments },
  };
}

/** Returns the snapshot that `writeSnapshot` wrote. */
export function parseSnapshot({ name, config, image, state }: SnapshotFile): Snapshot {
  const floats = (text: string) => new Float32Array(bytesOf(text).buffer);
  const { step, parameters, firstMoments, secondMoments } = state;
  const moments = { firstMoments: floats(firstMoments), secondMoments: floats(secondMoments) };
  return {
    name,
    config,
    image: { ...image, data: new Uint8ClampedArray(bytesOf(image.data).buffer) },
    state: { step, parameters: floats(parameters), ...moments },
  };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function textOf({ buffer, byteOffset, byteLength }: Float32Array | Uint8ClampedArray): string {
  return btoa(Array.from(new Uint8Array(buffer, byteOffset, byteLength), (byte) => String.fromCharCode(byte)).join(""));
}
