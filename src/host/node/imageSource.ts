import type { Sharp, SharpOptions } from "sharp";
import { maxPixels, type Size } from "../../engine/image/image.js";
import { limitText, mustBe } from "../../engine/quoted.js";
import { formatOf, type ImageFormat } from "../imageHeader.js";
import type { ReadAt } from "./readAt.js";

/** Whether sharp decodes a format in parts, unless it is interlaced or progressive. */
export const isStreamed = (format: ImageFormat) => format !== "webp";

/** Most compressed texts of a PNG. Decoders inflate all of them, and 8 kB may inflate to 8 MB. */
const maxTexts = 16;

/** Warnings of the JPEG decoder about files with sound pixels. All others mean damaged pixels. */
const harmlessWarning =
  /^VipsJpeg: (Corrupt JPEG data: (\d+ extraneous bytes before marker 0x(?!d\d)|bad ICC)|Invalid SOS|Unknown Adobe|Warning: unknown JFIF)/;

/** How sharp decodes an image file. It can be sent to another process. */
export interface Decoding {
  format: ImageFormat;
  /** Size with the EXIF orientation applied. */
  size: Size;
  options: SharpOptions;
  isWide: boolean;
  /** Whether it has 16 bits and a colour profile. */
  hasWideProfile: boolean;
}

/**
 * Reads the header of an image file, and chooses how to decode it.
 * @param name name of the file in errors
 * @param file path of the file; it is read to memory if omitted or if the format cannot be decoded in parts
 * @throws Error of one sentence if the format is not supported, the header is damaged, or a format that is decoded as a
 * whole has too many pixels
 */
export async function readSource(name: string, read: ReadAt, file?: string) {
  const head = read(0, 16);
  if (head.length === 0) throw new Error(`${name} is empty.`);
  // Other formats of sharp's are unsafe: an SVG of a few bytes can take minutes.
  const format = formatOf(head);
  if (!format) throw new Error(`${name} is not an image in a supported format. Use PNG, JPEG or WebP.`);
  if (format === "png" && countTexts(read) > maxTexts)
    throw new Error(`${name} has more than ${maxTexts} compressed texts. Save it again without metadata.`);
  const sharp = await loadSharp();
  const options = { autoOrient: true, limitInputPixels: false } satisfies SharpOptions;
  const input = file && isStreamed(format) ? file : read(0, Number.MAX_SAFE_INTEGER);
  const metadata = await sharp(input, { ...options, failOn: "error" })
    .metadata()
    .catch(({ message }: Error) => {
      throw undecodable(name, message);
    });
  const { depth, space, icc, isProgressive, orientation = 1 } = metadata;
  const { width, height } = metadata.autoOrient;
  if ((!isStreamed(format) || isProgressive) && width * height > maxPixels) {
    const kind = isProgressive ? `an interlaced or progressive ${nameOf(format)}` : nameOf(format);
    const limit = `at most ${limitText(maxPixels)} pixels, since ${kind} is decoded as a whole`;
    throw new Error(`${mustBe(name, limit, `${width}x${height}`)} Convert it to a PNG that is not interlaced.`);
  }
  // A rotated image cannot be read sequentially. libvips writes large ones to a temporary file.
  const isTurned = orientation !== 1;
  const decoding: Decoding = {
    format,
    size: { width, height },
    options: {
      ...options,
      // The decoder of JPEG only warns of damaged pixels.
      failOn: format === "jpeg" ? "warning" : "error",
      sequentialRead: !isTurned,
    },
    isWide: depth === "ushort",
    hasWideProfile: space === "rgb16" && icc !== undefined,
  };
  return { isTurned, input, decoding };
}

/**
 * Decodes an image by sharp to RGBA, 8 bits or 16 per value, and returns what `write` makes of it.
 * @throws Error with the decoder's reason
 */
export async function decodeBy<T>(
  input: string | Uint8Array,
  decoding: Decoding,
  write: (image: Sharp) => Promise<T>,
): Promise<T> {
  const sharp = await loadSharp();
  const { options, isWide } = decoding;
  const image = sharp(input, options);
  // sharp would convert it to Display P3.
  if (decoding.hasWideProfile) image.withIccProfile("srgb");
  try {
    return await write(image.ensureAlpha().toColourspace(isWide ? "rgb16" : "srgb"));
  } catch (error) {
    const lines = (error as Error).message.trim().split("\n");
    if (options.failOn !== "warning" || !lines.every((line) => harmlessWarning.test(line))) throw error;
    return decodeBy(input, { ...decoding, options: { ...options, failOn: "error" } }, write);
  }
}

/** Counts the chunks before the pixels of a PNG whose text may be compressed. */
function countTexts(read: ReadAt): number {
  let count = 0;
  for (let at = 8; ; ) {
    const start = Buffer.from(read(at, 8));
    const type = start.toString("latin1", 4);
    if (start.length < 8 || type === "IDAT") return count;
    if (type === "zTXt" || type === "iTXt") count++;
    at += 12 + start.readUInt32BE();
  }
}

const nameOf = (format: ImageFormat) => (format === "webp" ? "WebP" : format.toUpperCase());

/** Returns the error for an image that cannot be decoded, with the last line of the decoder's reason. */
export function undecodable(name: string, reason: string): Error {
  const line = reason.trim().split("\n").at(-1)!;
  const sentence = `${name} is damaged or truncated, or of a kind that is not supported`;
  return new Error(`${sentence}: ${line.replace(/^.*(header|vips\w*): /i, "")}.`);
}

/** Loads sharp. It is loaded late, so that a missing file is reported without delay. */
export async function loadSharp() {
  return (await import("sharp")).default;
}
