import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import fs, { type FileHandle, open, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Image, Size } from "../../engine/image/image.js";
import { reducedSize, reduceToRow, rowsUnder } from "../../engine/image/reduce.js";
import type { Rect } from "../../engine/regions/plan.js";
import { readFrom } from "./imageFile.js";
import { readSource, undecodable } from "./imageSource.js";
import { overWhite } from "./overWhite.js";
import { readFromFile } from "./readAt.js";
import { type StageReply, type StageRequest, stageFile } from "./stageFile.js";

/** Bytes of pixels that are decoded in this process. */
const inProcessBytes = 2 ** 24;

/** Largest fraction of the free disk space that an image may take. */
const maxFreeFraction = 0.9;

/** Bytes before the pixels of a .v file of libvips. */
const headerBytes = 64;

/** Bytes of pixels to read at once. */
const maxReadBytes = 2 ** 24;

/**
 * Returns the size of an image with its EXIF orientation applied, from its header.
 * @throws Error of one sentence, as `decodeImage`
 */
export async function imageSize(path: string): Promise<Size> {
  return (await readFileSource(path)).decoding.size;
}

function readFileSource(path: string) {
  return readFrom(path, () => readFromFile(path, (read) => readSource(path, read, path)));
}

/**
 * An image with its pixels in a file, row by row, so that crops can be read. PNG and JPEG can be decoded only
 * sequentially, which is done once, with constant memory.
 */
export class StagedImage implements Size {
  private constructor(
    readonly staged: string,
    readonly width: number,
    readonly height: number,
    readonly file: FileHandle,
    readonly bytesPerValue: 1 | 2,
  ) {}

  /**
   * Decodes an image to a file.
   * @param staged the file to write, with the extension .v of libvips. It has 4 bytes per pixel, or 8 for 16-bit
   * images. Temporary files go to the same folder, and may stay there if the signal aborts
   * @throws Error of one sentence, as `decodeImage` or for too little disk space, or the signal's reason
   */
  static async open(path: string, staged: string, signal?: AbortSignal): Promise<StagedImage> {
    const { isTurned, decoding } = await readFileSource(path);
    const { size, isWide } = decoding;
    const bytes = headerBytes + 4 * (isWide ? 2 : 1) * size.width * size.height;
    await checkFreeSpace(path, size, isTurned ? 2 * bytes : bytes, dirname(staged));
    // libvips does not distinguish read and write errors, so this tests whether the file is writable.
    await writeFile(staged, "");
    const request = { path, staged, decoding };
    const reply = await (bytes > inProcessBytes ? stageInProcess(request, path, signal) : stageFile(request));
    if ("full" in reply) throw Object.assign(new Error(reply.full), { code: "ENOSPC", path: staged });
    if ("undecodable" in reply) throw undecodable(path, reply.undecodable);
    if (reply.bytes < bytes) throw undecodable(path, "too few pixels");
    return new StagedImage(staged, size.width, size.height, await open(staged), isWide ? 2 : 1);
  }

  /** Returns a crop of the image, with the same values as `decodeImage`. */
  async crop({ x, y, width, height }: Rect): Promise<Image> {
    const bytesPerPixel = 4 * this.bytesPerValue;
    const bytes = Buffer.from(new ArrayBuffer(bytesPerPixel * width * height));
    const row = bytesPerPixel * width;
    // Whole rows are contiguous.
    const [rows, length] = width === this.width ? [1, row * height] : [height, row];
    for (let i = 0; i < rows; i++) {
      const position = headerBytes + bytesPerPixel * ((y + i) * this.width + x);
      // Thousands of asynchronous reads would be slower.
      readSync(this.file.fd, bytes, i * length, length, position);
    }
    const values = this.bytesPerValue === 2 ? new Uint16Array(bytes.buffer) : new Uint8Array(bytes.buffer);
    return { width, height, data: overWhite(values, this.bytesPerValue === 2 ? 65535 : 255) };
  }

  /**
   * Returns the image reduced as by `reduceImage`, written row by row to another file.
   * @param staged the file to write
   * @throws the signal's reason
   */
  async reduced(longest: number, staged: string, signal?: AbortSignal): Promise<StagedImage> {
    const size = reducedSize(this, longest);
    const file = await open(staged, "w+");
    try {
      await file.write(Buffer.alloc(headerBytes));
      for (let y = 0; y < size.height; y++) {
        await setImmediate();
        signal?.throwIfAborted();
        const { from, until } = rowsUnder(y, this, size);
        const { data } = await this.crop({ x: 0, y: from, width: this.width, height: until - from });
        await file.write(reduceToRow(data, y, this, size));
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    return new StagedImage(staged, size.width, size.height, file, 1);
  }

  /**
   * Returns the hash of the image, as `hashImage`.
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

/** @throws Error of one sentence if the disk of a folder has too little space for an image */
async function checkFreeSpace(path: string, { width, height }: Size, bytes: number, folder: string): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder);
  const free = bavail * bsize;
  if (bytes <= maxFreeFraction * free) return;
  const gigabytes = (count: number) => `${(count / 1e9).toFixed(1)} GB`;
  throw new Error(
    `${path} has ${width}x${height} pixels, which need ${gigabytes(bytes)} of disk space during training, but ${folder} has only ${gigabytes(free)}. Free some space, or choose a folder on another disk.`,
  );
}

/**
 * Writes the pixels of an image in a separate process.
 * @param name name of the image in errors
 * @throws the signal's reason, once the process has ended
 */
async function stageInProcess(
  request: StageRequest,
  name: string,
  signal: AbortSignal | undefined,
): Promise<StageReply> {
  signal?.throwIfAborted();
  const child = fork(new URL("./stageProcess.mjs", import.meta.url), [JSON.stringify(request)], {
    // Temporary files of libvips are removed with this folder.
    env: { ...process.env, TMPDIR: dirname(request.staged) },
    execArgv: [],
    // Only this process handles Ctrl-C of the terminal.
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
    // Disconnecting ends the process.
    child.disconnect();
    return reply;
  } finally {
    signal?.removeEventListener("abort", kill);
  }
}
