import type { SharpOptions } from "sharp";
import { loadSharp } from "./imageFile.js";
import { readFromFile } from "./readAt.js";
import { hasSoundStrips } from "./tiffCheck.js";

/** An image to decode, and the file to write. */
export interface StageRequest {
  path: string;
  /** The file to write. */
  staged: string;
  sharpOptions: SharpOptions;
  isTiff: boolean;
  isWide: boolean;
}

/** The number of bytes that were written, or the reason for a failure. */
export type StageReply = { bytes: number } | { damaged: true } | { full: string };

/** Writes the pixels of an image to the disk. */
export async function stageFile({ path, staged, sharpOptions, isTiff, isWide }: StageRequest): Promise<StageReply> {
  if (isTiff && !(await readFromFile(path, hasSoundStrips))) return { damaged: true };
  const sharp = await loadSharp();
  try {
    const reader = sharp(path, sharpOptions)
      .ensureAlpha()
      .toColourspace(isWide ? "rgb16" : "srgb");
    return { bytes: (await reader.toFile(staged)).size };
  } catch (error) {
    const { message } = error as Error;
    return /space left|write/i.test(message) ? { full: message } : { damaged: true };
  }
}
