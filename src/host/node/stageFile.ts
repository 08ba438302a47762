import { readFile } from "node:fs/promises";
import { type Decoding, decodeBy, isStreamed } from "./imageSource.js";

/** An image to decode, and the file to write. */
export interface StageRequest {
  path: string;
  /** The file to write. */
  staged: string;
  decoding: Decoding;
}

/** The number of bytes that were written, or the reason for a failure. */
export type StageReply = { bytes: number } | { undecodable: string } | { full: string };

/** Writes the pixels of an image to the disk. */
export async function stageFile({ path, staged, decoding }: StageRequest): Promise<StageReply> {
  const input = isStreamed(decoding.format) ? path : await readFile(path);
  try {
    const { size } = await decodeBy(input, decoding, (image) => image.toFile(staged));
    return { bytes: size };
  } catch (error) {
    const { message } = error as Error;
    return /space left|write/i.test(message) ? { full: message } : { undecodable: message };
  }
}
