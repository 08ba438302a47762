import type { Sharp, SharpOptions } from "sharp";
import { maxPixels, type Size } from "../../engine/image/image.js";
import { limitText, mustBe } from "../../engine/quoted.js";
import type { Rect } from "../../engine/regions/plan.js";
import { usesTables } from "../colorProfile.js";
import { gifFrame, type ImageFormat, ifWhole, imageHeader, jpegFrame, viewOf } from "../imageHeader.js";
import { hasLimitedGrey } from "./avifRange.js";
import { readPngHeader, withoutText } from "./pngHead.js";
import type { ReadAt } from "./readAt.js";
import { tiffKind } from "./tiffCheck.js";

/** Formats that are decoded. Others of sharp's are unsafe: an SVG of a few bytes can take minutes. */
const readFormats: readonly ImageFormat[] = ["png", "jpeg", "webp", "gif", "tiff", "avif"];

/** Formats that sharp decodes in parts, unless they are interlaced or progressive. */
export const isStreamed = (format: ImageFormat) => ["png", "jpeg", "tiff"].includes(format);

/** Bytes of an image file that include its header. That of a JPEG follows the metadata of the camera. */
const headBytes = 2 ** 16;
const jpegHeadBytes = 2 ** 24;

/** An empty IDAT chunk, which decoders require after the header of a PNG. */
const emptyPixelChunk = Buffer.from("\0\0\0\0IDAT");

/** Warnings of the JPEG decoder about files with sound pixels. All others mean damaged pixels. */
const harmlessWarning =
  /^VipsJpeg: (Corrupt JPEG data: (\d+ extraneous bytes before marker 0x(?!d\d)|bad ICC)|Invalid SOS|Unknown Adobe|Warning: unknown JFIF)/;

/** How sharp decodes an image file. It can be sent to another process. */
export interface Decoding {
  format: ImageFormat;
  options: SharpOptions;
  isWide: boolean;
  /** Whether a TIFF has a sample that is not alpha after its colours. */
  dropsAlpha: boolean;
  /** Whether the colour profile consists of tables, which Little CMS converts to sRGB. */
  hasTables: boolean;
  /** Whether grey of limited range has to be expanded. */
  isLimited: boolean;
  /** The canvas of a GIF and its first frame, if they differ. sharp draws black around the frame. */
  gif?: { canvas: Size; frame: Rect };
}

/**
 * Reads the header of an image file, and chooses how to decode it.
 * @param name name of the file in errors
 * @param file path of the file; it is read to memory if omitted or if the format cannot be decoded in parts
 * @throws Error of one sentence if the format is not supported, the header is damaged, or a format that is decoded as a
 * whole has too many pixels
 */
export async function readSource(name: string, read: ReadAt, file?: string) {
  const start = read(0, headBytes);
  if (start.length === 0) throw new Error(`${name} is empty.`);
  const { format } = imageHeader(start) ?? {};
  if (!format) throw new Error(`${name} is not an image in a supported format. Use PNG, JPEG or WebP.`);
  if (!readFormats.includes(format)) throw unsupported(name, `a ${nameOf(format)} image`);
  const tiff = format === "tiff" ? tiffKind(read) : undefined;
  const kind = tiff?.unsupported
    ? `a TIFF with ${tiff.unsupported}`
    : format === "jpeg" && unsupportedJpeg(read(0, jpegHeadBytes));
  if (kind) throw unsupported(name, kind);
  const fail = () => {
    throw start.length > 12 && isSequence(start) ? unsupported(name, "an AVIF without a still image") : damaged(name);
  };
  const sharp = await loadSharp();
  const options = { ignoreIcc: true, autoOrient: true, limitInputPixels: false } satisfies SharpOptions;
  const png = format === "png" ? await Promise.resolve(read).then(readPngHeader).catch(fail) : undefined;
  const input = file && isStreamed(format) ? file : soundBytes(format, read(0, Number.MAX_SAFE_INTEGER));
  const head = png ? Buffer.concat([png.bytes, emptyPixelChunk]) : start;
  const metadata = await sharp(png ? head : input, { ...options, failOn: "error" })
    .metadata()
    .catch(fail);
  const { depth, hasAlpha, icc, isProgressive, orientation = 1 } = metadata;
  const whole = typeof input === "string" ? start : input;
  const isLimited = format === "avif" && hasLimitedGrey(whole);
  if (isLimited && hasAlpha) throw unsupported(name, "an AVIF with alpha and limited range in grey or alpha");
  const gif = format === "gif" ? ifWhole(() => gifFrame(viewOf(whole))) : undefined;
  const { width, height } = gif?.canvas ?? metadata.autoOrient;
  const isWhole = !isStreamed(format) || isProgressive;
  if (isWhole && width * height > maxPixels) {
    const kind = isProgressive ? `an interlaced or progressive ${nameOf(format)}` : nameOf(format);
    const limit = `at most ${limitText(maxPixels)} pixels, since ${kind} is decoded as a whole`;
    throw new Error(`${mustBe(name, limit, `${width}x${height}`)} Convert it to TIFF.`);
  }
  const hasTables = usesTables(head, icc);
  // A rotated image cannot be read sequentially. libvips writes large ones to a temporary file.
  const isTurned = orientation !== 1;
  const failOn = format === "jpeg" || tiff?.isTiled ? "warning" : "error";
  const decoding: Decoding = {
    format,
    options: { ...options, ignoreIcc: !hasTables, failOn, sequentialRead: !isTurned },
    isWide: depth === "ushort",
    dropsAlpha: tiff?.hasOtherSample ?? false,
    hasTables,
    isLimited,
    ...(gif && (gif.frame.width !== width || gif.frame.height !== height) && { gif }),
  };
  return { size: { width, height }, isTurned, input, png, colors: { head, icc }, decoding };
}

/** Decodes an image by sharp to RGBA, 8 bits or 16 per value, and returns what `write` makes of it. */
export async function decodeBy<T>(
  input: string | Uint8Array,
  decoding: Decoding,
  write: (image: Sharp) => Promise<T>,
): Promise<T> {
  const sharp = await loadSharp();
  const { options, isWide, gif } = decoding;
  const image = sharp(input, options);
  if (gif) {
    const { x: left, y: top, width, height } = gif.frame;
    const [right, bottom] = [gif.canvas.width - left - width, gif.canvas.height - top - height];
    image.extract({ left, top, width, height }).extend({ left, top, right, bottom, background: "white" });
  }
  if (decoding.dropsAlpha) image.removeAlpha();
  if (decoding.isLimited) image.linear(255 / 219, 0.5 - (isWide ? 4096 : 16) * (255 / 219));
  // sharp converts a profile of 16 bits to Display P3.
  if (decoding.hasTables && isWide) image.withIccProfile("srgb");
  try {
    return await write(image.ensureAlpha().toColourspace(isWide ? "rgb16" : "srgb"));
  } catch (error) {
    const lines = (error as Error).message.trim().split("\n");
    if (options.failOn !== "warning" || !lines.every((line) => harmlessWarning.test(line))) throw error;
    return decodeBy(input, { ...decoding, options: { ...options, failOn: "error" } }, write);
  }
}

/** Returns the bytes of an image file without what decoders cannot take: text of a PNG, the sequence of an AVIF. */
export function soundBytes(format: ImageFormat, bytes: Uint8Array): Uint8Array {
  if (format === "png") return withoutText(bytes);
  if (format !== "avif" || !isSequence(bytes)) return bytes;
  // As a still image, it has the first frame.
  const still = Buffer.from(bytes);
  still.write("avif", 8, "latin1");
  return still;
}

const isSequence = (bytes: Uint8Array) => Buffer.from(bytes.subarray(4, 12)).toString("latin1") === "ftypavis";

function unsupportedJpeg(head: Uint8Array): string | undefined {
  const { marker, bits } = ifWhole(() => jpegFrame(viewOf(head))) ?? { marker: 0xc0, bits: 8 };
  if (bits !== 8) return `a JPEG of ${bits} bits`;
  if ([0xc3, 0xc7, 0xcb, 0xcf].includes(marker)) return "a lossless JPEG";
  return [0xc5, 0xc6, 0xcd, 0xce].includes(marker) ? "a hierarchical JPEG" : undefined;
}

const nameOf = (format: ImageFormat) => (format === "webp" ? "WebP" : format.toUpperCase());

function unsupported(name: string, kind: string): Error {
  return new Error(`${name} is ${kind}, which is not supported. Convert it to PNG, JPEG or WebP.`);
}

/** Returns the error for a truncated or damaged image. */
export function damaged(name: string): Error {
  return new Error(`${name} is damaged or truncated.`);
}

/** Loads sharp. It is loaded late, so that a missing file is reported without delay. */
export async function loadSharp() {
  return (await import("sharp")).default;
}
