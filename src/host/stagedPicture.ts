import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Image, Size } from "../engine/picture/image.js";
import type { Rect } from "../engine/regions/plan.js";
import { checkHead, damage, loadSharp, overWhite, readFrom } from "./imageFile.js";

/** Bytes of a picture's file in which its head is. */
const headBytes = 2 ** 16;

/** Bytes before the pixels of a file of libvips' own, and where they tell of them. */
const stagedHead = 64;
const [widthAt, heightAt, formatAt] = [4, 8, 20];
const shortFormat = 2;

/** Bytes of pixels that are read at once. */
const mostBytes = 2 ** 24;

/**
 * The size of a picture, as its header tells it, turned as its EXIF orientation says; nothing of it is decoded.
 * @throws Error of one sentence, as `decodeImage`
 */
export async function pictureSize(path: string): Promise<Size> {
  return (await sizeAndReader(path)).size;
}

async function sizeAndReader(path: string) {
  const head = await readFrom(path, async () => {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  });
  const { given } = checkHead(head, path);
  const sharp = await loadSharp();
  const metadata = await sharp(path, { ...given, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw damage(path);
    });
  const { width, height } = metadata.autoOrient;
  const { depth, orientation = 1 } = metadata;
  // What is turned is not read from the top to the bottom; libvips keeps it on the disk where it is large.
  const reader = sharp(path, { ...given, limitInputPixels: false, sequentialRead: orientation === 1 });
  return { size: { width, height }, reader, isWide: depth === "ushort" };
}

/**
 * A picture whose pixels lie on the disk, row by row, so that any part of it can be read: a PNG or JPEG can only be read
 * from its top to its bottom, which is done once, in memory that does not grow with it.
 */
export class StagedPicture implements Size {
  private constructor(
    /** Where it lies. */
    readonly staged: string,
    readonly width: number,
    readonly height: number,
    readonly file: FileHandle,
    readonly bytesPerValue: 1 | 2,
  ) {}

  /**
   * @param staged the file to write, whose name ends in .v, as libvips calls its own; it has four bytes a pixel, or eight of a picture of 16 bits
   * @throws Error of one sentence, as `decodeImage`, or of the system where it cannot be written
   */
  static async open(path: string, staged: string): Promise<StagedPicture> {
    const { reader, isWide } = await sizeAndReader(path);
    // libvips tells errors of reading and writing alike, so what cannot be written is found out first.
    await (await open(staged, "w")).close();
    const { size: bytes } = await reader
      .ensureAlpha()
      .toColourspace(isWide ? "rgb16" : "srgb")
      .toFile(staged)
      .catch((error: Error) => {
        throw /space left|write/i.test(error.message)
          ? Object.assign(error, { code: "ENOSPC", path: staged })
          : damage(path);
      });
    const picture = await StagedPicture.reopen(staged);
    const { width, height, bytesPerValue } = picture;
    if (bytes >= stagedHead + 4 * bytesPerValue * width * height) return picture;
    await picture.close();
    throw damage(path);
  }

  /** Opens one that lies on the disk already. */
  static async reopen(staged: string): Promise<StagedPicture> {
    const file = await open(staged);
    const { buffer: head } = await file.read(Buffer.alloc(stagedHead), 0, stagedHead, 0);
    const [width, height] = [head.readUInt32LE(widthAt), head.readUInt32LE(heightAt)];
    const bytesPerValue = head.readUInt32LE(formatAt) === shortFormat ? 2 : 1;
    return new StagedPicture(staged, width, height, file, bytesPerValue);
  }

  /** A part of the picture, as `decodeImage` gives the whole. */
  async part({ x, y, width, height }: Rect): Promise<Image> {
    const bytesPerPixel = 4 * this.bytesPerValue;
    const bytes = Buffer.from(new ArrayBuffer(bytesPerPixel * width * height));
    const row = bytesPerPixel * width;
    // Whole rows follow one another.
    const [rows, length] = width === this.width ? [1, row * height] : [height, row];
    for (let i = 0; i < rows; i++) {
      const place = stagedHead + bytesPerPixel * ((y + i) * this.width + x);
      // To wait for each of thousands takes longer than to read them.
      readSync(this.file.fd, bytes, i * length, length, place);
    }
    const values = this.bytesPerValue === 2 ? new Uint16Array(bytes.buffer) : new Uint8Array(bytes.buffer);
    return { width, height, data: overWhite(values, this.bytesPerValue === 2 ? 65535 : 255) };
  }

  /** As `hashImage` of the whole. */
  async hash(): Promise<string> {
    const { width, height } = this;
    const hash = createHash("sha256");
    hash.update(new Uint8Array(new Uint32Array([width, height]).buffer));
    const rows = Math.max(1, Math.floor(mostBytes / (8 * width)));
    for (let y = 0; y < height; y += rows) {
      hash.update((await this.part({ x: 0, y, width, height: Math.min(rows, height - y) })).data);
    }
    return hash.digest("hex");
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
