import { concat } from "../../concat.js";
import type { TrainConfig } from "../../config.js";
import { checkPixels, type Size, sizeOf } from "../../image/image.js";
import { parameterCount } from "../../model/blobs.js";
import { mustBe } from "../../quoted.js";
import { ByteReader, ByteWriter, unzigzag, zigzag } from "./bytes.js";
import { packColumns, unpackColumns } from "./columns.js";
import { crc32 } from "./crc32.js";
import { packHead, unpackHead } from "./head.js";
import { mortonCodes, mortonPosition } from "./morton.js";
import { type QuantizationSteps, quantizationSteps } from "./precision.js";
import { dequantize, hasOpacity, type Layout, quantize } from "./quantize.js";

/** The version of .splat2d files; others are refused. */
const splat2dVersion = 1;

/** The first bytes of every file; 0x89 distinguishes it from text, as in PNG. */
const magic = Uint8Array.of(0x89, ...new TextEncoder().encode("splat2"));

/** Magic, version, length of the file and CRC-32 of the rest; both uint32, little endian. */
const headerLength = magic.length + 1 + 4 + 4;

/** The contents of a .splat2d file. */
export interface Splat2d {
  /** The config of the run, with the file's number of blobs. */
  config: TrainConfig;
  /** Size of the target in pixels. */
  size: Size;
  /** Quantization steps of the parameters. */
  steps: QuantizationSteps;
  /** 9·N raw parameters, field-major. */
  parameters: Float32Array;
}

/**
 * Returns blobs as a .splat2d file: a head of JSON, and the raw parameters rounded to steps and Huffman-coded. Invisible
 * blobs are dropped, and those of a sum sorted by position. Blobs that were read from a file encode to the same bytes
 * with the same steps; only the head of an earlier version has other names.
 * @param size of the target, in pixels
 * @param parameters 9·N raw parameters, field-major
 * @throws Error of one sentence for a parameter that is not finite
 */
export function encodeSplat2d(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  steps: QuantizationSteps = quantizationSteps(config),
): Uint8Array {
  const requested = { config, size: sizeOf(size), steps };
  const quantized = quantize(parameters, requested);
  const layout = { ...requested, config: { ...config, blobs: quantized[0].length } };
  const head = packHead(layout);
  const { origin, columns } = toColumns(quantized, layout);
  const [headLength, originWriter] = [new ByteWriter(), new ByteWriter()];
  headLength.count(head.length);
  for (const value of origin) originWriter.count(zigzag(value));
  return addHeader(concat([headLength.bytes(), head, originWriter.bytes(), packColumns(columns)]));
}

/**
 * Reads a .splat2d file.
 * @param file name, with which error messages begin
 * @param isDrawnInPieces if true, the image may have any number of pixels
 * @throws Error of one sentence for other, damaged, truncated or incompatible files, and images with too many pixels
 */
export function decodeSplat2d(bytes: Uint8Array, file = "The file", isDrawnInPieces = false): Splat2d {
  const body = new ByteReader(checkHeader(bytes, file));
  const layout = rejectDamaged(file, () => unpackHead(body.take(body.count()), file));
  if (!isDrawnInPieces) checkPixels(file, layout.size);
  return rejectDamaged(file, () => {
    const origin = originNames(layout).map(() => unzigzag(body.count()));
    const columns = unpackColumns(body.rest(), columnCount(layout), layout.config.blobs);
    const parameters = dequantize(fromColumns(columns, origin, layout), layout);
    if (!parameters.every(Number.isFinite)) throw new RangeError("A parameter is no finite number.");
    return { ...layout, parameters };
  });
}

function rejectDamaged<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    // The checksum was correct, so the writer made a mistake.
    if (error instanceof Error && error.message.startsWith("The config in")) throw error;
    throw new Error(`${file} is damaged: its contents are inconsistent.`);
  }
}

/** Returns a file with its header. */
function addHeader(body: Uint8Array): Uint8Array {
  const header = new DataView(new ArrayBuffer(8));
  header.setUint32(0, headerLength + body.length, true);
  header.setUint32(4, crc32(body), true);
  return concat([magic, [splat2dVersion], new Uint8Array(header.buffer), body]);
}

/** Checks the header and returns the bytes after it. */
function checkHeader(bytes: Uint8Array, file: string): Uint8Array {
  if (bytes.length === 0) throw new Error(`${file} is empty.`);
  if (magic.some((byte, i) => i < bytes.length && bytes[i] !== byte))
    throw new Error(`${file} is not a .splat2d file.`);
  const version = bytes[magic.length] ?? splat2dVersion;
  if (version !== splat2dVersion) {
    throw new Error(mustBe(file, `of .splat2d version ${splat2dVersion}`, version));
  }
  if (bytes.length < headerLength) {
    throw new Error(`${file} is truncated: it has ${bytes.length} bytes, fewer than its header.`);
  }
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerLength);
  const length = header.getUint32(magic.length + 1, true);
  if (bytes.length < length) throw new Error(`${file} is truncated: it has ${bytes.length} of its ${length} bytes.`);
  if (bytes.length > length) {
    throw new Error(`${file} is damaged: it has ${bytes.length} bytes instead of ${length}.`);
  }
  const body = bytes.subarray(headerLength);
  if (crc32(body) !== header.getUint32(magic.length + 5, true)) {
    throw new Error(`${file} is damaged: its checksum does not match its contents.`);
  }
  return body;
}

/** Returns the axes with an origin: positions in a sum are relative to the lowest coordinates. */
function originNames({ config }: Layout): readonly string[] {
  return config.blend === "sum" ? ["x", "y"] : [];
}

function columnCount(layout: Layout): number {
  return parameterCount - (layout.config.blend === "sum" ? 1 : 0) - (hasOpacity(layout) ? 0 : 1);
}

/**
 * Returns the columns of a file: the position, which in a sum is one Morton code; variances and correlation; green, and
 * red and blue as differences from green; and the opacity if there is one.
 */
function toColumns(quantized: Float64Array[], layout: Layout): { origin: number[]; columns: Float64Array[] } {
  const [x, y, varianceX, varianceY, correlation, red, green, blue, opacity] = quantized;
  const minusGreen = (color: Float64Array) => color.map((value, i) => value - green[i]);
  const shape = [varianceX, varianceY, correlation, green, minusGreen(red), minusGreen(blue)];
  const columns = hasOpacity(layout) ? [...shape, opacity] : shape;
  if (layout.config.blend !== "sum") return { origin: [], columns: [x, y, ...columns] };
  const { origin, codes } = mortonCodes([x, y]);
  return { origin, columns: [codes, ...columns] };
}

/** The inverse of `toColumns`, in place where possible. */
function fromColumns(columns: Float64Array[], [lowX, lowY]: number[], layout: Layout): Float64Array[] {
  let [x, y, ...shape] = columns;
  const blobs = x.length;
  if (layout.config.blend === "sum") {
    shape = columns.slice(1);
    y = new Float64Array(blobs);
    for (let i = 0; i < blobs; i++) {
      const position = mortonPosition(x[i]);
      x[i] = position.x + lowX;
      y[i] = position.y + lowY;
    }
  }
  const [varianceX, varianceY, correlation, green, red, blue, opacity = new Float64Array(blobs)] = shape;
  for (const color of [red, blue]) for (let i = 0; i < blobs; i++) color[i] += green[i];
  return [x, y, varianceX, varianceY, correlation, red, green, blue, opacity];
}
