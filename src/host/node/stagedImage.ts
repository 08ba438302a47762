import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, readSync } from "node:fs";
import fs, { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import type { Image, Size } from "../../engine/image/image.js";
import { reducedSize, reduceToRow, rowsUnder } from "../../engine/image/reduce.js";
import type { Rect } from "../../engine/regions/plan.js";
import { type ToSrgb, toSrgbOf } from "../colorProfile.js";
import { overWhite } from "../overWhite.js";
import { checkHeader, damageError, loadSharp, readFrom } from "./imageFile.js";
import { readPngHeader } from "./pngHead.js";
import { readFromFile } from "./readAt.js";
import { type StageReply, type StageRequest, stageFile } from "./stageFile.js";

/** Bytes of a picture's file in which its head is. */
const headBytes = 2 ** 16;

/** An empty chunk of a PNG's pixels, which decoders want behind its head. */
const emptyPixelChunk = Buffer.from("\0\0\0\0IDAT");

/** Bytes of pixels that are decoded sooner than a process starts. */
const inProcessBytes = 2 ** 24;

/** Of what is free on a disk, how much a picture may take. */
const maxFreeFraction = 0.9;

/** Bytes before the pixels of a file of libvips' own, and where they tell of them. */
const headerBytes = 64;
const [widthAt, heightAt, formatAt] = [4, 8, 20];
const shortFormat = 2;

/** Bytes of pixels that are read at once. */
const maxReadBytes = 2 ** 24;

/**
 * The size of a picture, as its header tells it, turned as its EXIF orientation says; nothing of it is decoded.
 * @throws Error of one sentence, as `decodeImage`
 */
export async function imageSize(path: string): Promise<Size> {
  return (await readMetadata(path)).size;
}

/** What a file's beginning tells of its picture, and how sharp is to read it. */
async function readMetadata(path: string) {
  const start = await readFrom(path, () => readFromFile(path, async (read) => read(0, headBytes)));
  const { format, sharpOptions } = checkHeader(start, path);
  const fail = () => {
    throw damageError(path);
  };
  const png = format === "png" ? await readFromFile(path, readPngHeader).catch(fail) : undefined;
  const head = png ? Buffer.concat([png.bytes, emptyPixelChunk]) : start;
  const sharp = await loadSharp();
  const metadata = await sharp(png ? head : path, { ...sharpOptions, limitInputPixels: false })
    .metadata()
    .catch(fail);
  const { width, height } = metadata.autoOrient;
  const { depth, icc, orientation = 1 } = metadata;
  // What is turned is not read from the top to the bottom; libvips keeps it on the disk where it is large.
  const isTurned = orientation !== 1;
  return {
    size: { width, height },
    isTiff: format === "tiff",
    isWide: depth === "ushort",
    isTurned,
    /** Where its pixels begin, of a PNG that has text before them. */
    pixelsAt: png?.hasText ? png.end : undefined,
    colors: { head, icc },
    sharpOptions: { ...sharpOptions, limitInputPixels: false, sequentialRead: !isTurned },
  };
}

/** What `toSrgbOf` asks of a file. */
export interface Colors {
  head: Uint8Array;
  icc: Uint8Array | undefined;
}

/**
 * A picture whose pixels lie on the disk, row by row, so that any part of it can be read: a PNG or JPEG can only be read
 * from its top to its bottom, which is done once, in memory that does not grow with it.
 */
export class StagedImage implements Size {
  private constructor(
    /** Where it lies. */
    readonly staged: string,
    readonly width: number,
    readonly height: number,
    readonly file: FileHandle,
    readonly bytesPerValue: 1 | 2,
    readonly colors: Colors,
  ) {
    this.#toSrgb = toSrgbOf(colors.head, colors.icc);
  }

  readonly #toSrgb: ToSrgb | undefined;

  /**
   * @param staged the file to write, whose name ends in .v, as libvips calls its own; it has four bytes a pixel, or eight
   * of a picture of 16 bits. What else is written stands beside it, and may be left there where the reading is stopped
   * @throws Error of one sentence, as `decodeImage`, or that there is too little room on the disk, or the signal's reason
   */
  static async open(path: string, staged: string, signal?: AbortSignal): Promise<StagedImage> {
    const { size, isTiff, isWide, isTurned, pixelsAt, colors, sharpOptions } = await readMetadata(path);
    const bytes = headerBytes + 4 * (isWide ? 2 : 1) * size.width * size.height;
    await checkFreeSpace(path, size, isTurned ? 2 * bytes : bytes, dirname(staged));
    let source = path;
    if (pixelsAt !== undefined) {
      source = `${staged}.png`;
      await writeFile(source, colors.head.subarray(0, -emptyPixelChunk.length));
      const pixelStream = createReadStream(path, { start: pixelsAt });
      await pipeline(pixelStream, createWriteStream(source, { flags: "a" }), { signal });
    }
    // libvips tells errors of reading and writing alike, so what cannot be written is found out first.
    await writeFile(staged, "");
    const request = { path: source, staged, isTiff, isWide, sharpOptions };
    const reply = await (bytes > inProcessBytes ? stageInProcess(request, path, signal) : stageFile(request));
    if (source !== path) await rm(source);
    if ("full" in reply) throw Object.assign(new Error(reply.full), { code: "ENOSPC", path: staged });
    if ("damaged" in reply || reply.bytes < bytes) throw damageError(path);
    return StagedImage.reopen(staged, colors);
  }

  /** Opens one that lies on the disk already. */
  static async reopen(staged: string, colors: Colors): Promise<StagedImage> {
    const file = await open(staged);
    const { buffer: head } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    const [width, height] = [head.readUInt32LE(widthAt), head.readUInt32LE(heightAt)];
    const bytesPerValue = head.readUInt32LE(formatAt) === shortFormat ? 2 : 1;
    return new StagedImage(staged, width, height, file, bytesPerValue, colors);
  }

  /** A part of the picture, as `decodeImage` gives the whole. */
  async crop({ x, y, width, height }: Rect): Promise<Image> {
    const bytesPerPixel = 4 * this.bytesPerValue;
    const bytes = Buffer.from(new ArrayBuffer(bytesPerPixel * width * height));
    const row = bytesPerPixel * width;
    // Whole rows follow one another.
    const [rows, length] = width === this.width ? [1, row * height] : [height, row];
    for (let i = 0; i < rows; i++) {
      const position = headerBytes + bytesPerPixel * ((y + i) * this.width + x);
      // To wait for each of thousands takes longer than to read them.
      readSync(this.file.fd, bytes, i * length, length, position);
    }
    const values = this.bytesPerValue === 2 ? new Uint16Array(bytes.buffer) : new Uint8Array(bytes.buffer);
    return { width, height, data: overWhite(values, this.bytesPerValue === 2 ? 65535 : 255, this.#toSrgb) };
  }

  /**
   * Returns this picture reduced as `reduceImage` does, written row by row to another file.
   * @param staged the file to write
   * @throws the signal's reason
   */
  async reduced(longest: number, staged: string, signal?: AbortSignal): Promise<StagedImage> {
    const size = reducedSize(this, longest);
    const head = Buffer.alloc(headerBytes);
    head.writeUInt32LE(size.width, widthAt);
    head.writeUInt32LE(size.height, heightAt);
    const file = await open(staged, "w");
    try {
      await file.write(head);
      for (let y = 0; y < size.height; y++) {
        await setImmediate();
        signal?.throwIfAborted();
        const { from, until } = rowsUnder(y, this, size);
        const { data } = await this.crop({ x: 0, y: from, width: this.width, height: until - from });
        await file.write(reduceToRow(data, y, this, size));
      }
    } finally {
      await file.close();
    }
    return StagedImage.reopen(staged, { head: new Uint8Array(), icc: undefined });
  }

  /**
   * As `hashImage` of the whole.
   * @throws the signal's reason
   */
  async hash(signal?: AbortSignal): Promise<string> {
    const { width, height } = this;
    const hash = createHash("sha256");
    hash.update(new Uint8Array(new Uint32Array([width, height]).buffer));
    const rows = Math.max(1, Math.floor(maxReadBytes / (8 * width)));
    for (let y = 0; y < height; y += rows) {
      await setImmediate();
      signal?.throwIfAborted();
      hash.update((await this.crop({ x: 0, y, width, height: Math.min(rows, height - y) })).data);
    }
    return hash.digest("hex");
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** @throws Error of one sentence where a folder's disk has too little room for a picture */
async function checkFreeSpace(path: string, { width, height }: Size, bytes: number, folder: string): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder);
  const free = bavail * bsize;
  if (bytes <= maxFreeFraction * free) return;
  const gigabytes = (count: number) => `${(count / 1e9).toFixed(1)} GB`;
  throw new Error(
    `${path} has ${width}x${height} pixels, which take ${gigabytes(bytes)} on the disk while they are fitted, but ${gigabytes(free)} are free for ${folder}: make room there, or choose a folder on another disk.`,
  );
}

/**
 * Has a process write a picture's pixels to the disk.
 * @param name of the picture, in errors
 * @throws the signal's reason, as soon as the process has ended
 */
async function stageInProcess(
  request: StageRequest,
  name: string,
  signal: AbortSignal | undefined,
): Promise<StageReply> {
  signal?.throwIfAborted();
  const child = fork(new URL("./stageProcess.mjs", import.meta.url), [JSON.stringify(request)], {
    // What libvips puts aside is removed with the rest.
    env: { ...process.env, TMPDIR: dirname(request.staged) },
    execArgv: [],
    // A terminal's Ctrl-C is heard here alone.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const kill = () => void child.kill("SIGKILL");
  signal?.addEventListener("abort", kill);
  try {
    const reply = await new Promise<StageReply>((resolve, reject) => {
      child.on("message", (message) => resolve(message as StageReply));
      child.on("error", reject);
      child.on("exit", (code, signalName) => {
        const cause = signalName ?? `exit code ${code}`;
        reject(signal?.reason ?? new Error(`${name} cannot be read: the process that decodes it ended with ${cause}.`));
      });
    });
    // By this it ends.
    child.disconnect();
    return reply;
  } finally {
    signal?.removeEventListener("abort", kill);
  }
}
