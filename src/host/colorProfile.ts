import { inflateAtMost } from "../engine/files/inflate.js";
import { ifWhole, imageHeader, jpegSegments, viewOf } from "./imageHeader.js";

/** Converts a colour with values 0..1 to sRGB, in place. Values outside sRGB are clipped. */
export type ToSrgb = (rgb: Float64Array) => void;

/** Largest size of a profile in bytes. Profiles with matrices and curves are much smaller. */
const maxBytes = 2 ** 24;

/**
 * Returns the conversion to sRGB for an image file: from its coding-independent code points (cICP, nclx) or its ICC
 * profile with a matrix and three curves, such as Display P3 or Adobe RGB.
 * @param head the file, or its beginning
 * @param icc the profile, if the caller already has it
 * @returns undefined if the values are used as sRGB: the file declares sRGB or nothing, or has a profile of another
 * kind (tables, CMYK, grey). gAMA and cHRM of PNG are ignored, since most files with them are sRGB
 */
export function toSrgbOf(head: Uint8Array, icc?: Uint8Array): ToSrgb | undefined {
  return ifWhole(() => {
    const { points, profile } = findColor(viewOf(head));
    const space = (points && spaceOfPoints(points)) ?? spaceOfProfile(icc ?? profile);
    return space && conversion(space);
  });
}

/** Returns whether an image's RGB profile consists of tables, so that `toSrgbOf` ignores it. */
export function usesTables(head: Uint8Array, icc: Uint8Array | undefined): boolean {
  const { points } = ifWhole(() => findColor(viewOf(head))) ?? {};
  if (!icc || (points && spaceOfPoints(points))) return false;
  const isOfTables = () => isRgb(viewOf(icc)) && !spaceOfProfile(icc) && tagOffsets(viewOf(icc), ["A2B0"]).length > 0;
  return ifWhole(isOfTables) ?? false;
}

/** A colour space: the curve of each channel from value to light, and the row-major matrix from light to XYZ (D50). */
interface ColorSpace {
  curves: Curve[];
  matrix: number[];
}

type Curve = (value: number) => number;

/** Row-major matrices from linear RGB to XYZ (D50), as in ICC profiles. */
const matrices = {
  srgb: [0.436065, 0.385147, 0.143066, 0.222488, 0.716873, 0.060608, 0.013916, 0.097076, 0.714096],
  displayP3: [0.515121, 0.291977, 0.157104, 0.241196, 0.692245, 0.066574, -0.001053, 0.041885, 0.784073],
  bt2020: [0.673462, 0.165665, 0.125076, 0.279037, 0.675339, 0.045624, -0.001938, 0.029984, 0.797164],
};

const srgbCurve: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const srgbValue: Curve = (light) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

/** Code points of ITU-T H.273, without those of high dynamic range. */
const primariesByCode: Record<number, number[]> = {
  1: matrices.srgb,
  9: matrices.bt2020,
  12: matrices.displayP3,
};
const curvesByCode: Record<number, Curve> = { 4: (value) => value ** 2.2, 8: (value) => value, 13: srgbCurve };

function spaceOfPoints([primaries, transfer]: number[]): ColorSpace | undefined {
  const [matrix, curve] = [primariesByCode[primaries], curvesByCode[transfer]];
  return matrix && curve && { matrix, curves: [curve, curve, curve] };
}

interface ColorInfo {
  /** Primaries and transfer. */
  points?: number[];
  profile?: Uint8Array | undefined;
}

/** @throws RangeError if the file is truncated */
function findColor(view: DataView): ColorInfo {
  const bytes = (start: number, length: number) => new Uint8Array(view.buffer, view.byteOffset + start, length);
  switch (imageHeader(bytes(0, view.byteLength))?.format) {
    case "png":
      return findInPng(view, bytes);
    case "jpeg":
      return { profile: findInJpeg(view, bytes) };
    case "webp":
      return { profile: findInWebp(view, bytes) };
    case "avif":
      return findInAvif(view, bytes);
    default:
      return {};
  }
}

type Bytes = (start: number, length: number) => Uint8Array;

const fourCC = (name: string) => [...name].reduce((sum, letter) => 256 * sum + letter.charCodeAt(0), 0);

function findInPng(view: DataView, bytes: Bytes): ColorInfo {
  const found: ColorInfo = {};
  for (let at = 8; ; at += 12 + view.getUint32(at)) {
    const [length, type] = [view.getUint32(at), view.getUint32(at + 4)];
    if (type === fourCC("IDAT")) return found;
    if (type === fourCC("cICP")) found.points = [...bytes(at + 8, 2)];
    if (type !== fourCC("iCCP")) continue;
    const chunk = bytes(at + 8, length);
    // A zero-terminated name, the method, and the two-byte header of zlib.
    found.profile = inflateAtMost(chunk.subarray(chunk.indexOf(0) + 4), maxBytes);
  }
}

/** Joins the profile, which may be split over several segments before the pixels (marker DA). */
function findInJpeg(view: DataView, bytes: Bytes): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  for (const { marker, start, length } of jpegSegments(view)) {
    if (marker === 0xda) break;
    const isProfile = marker === 0xe2 && length >= 14 && String.fromCharCode(...bytes(start, 12)) === "ICC_PROFILE\0";
    if (isProfile) chunks[view.getUint8(start + 12) - 1] = bytes(start + 14, length - 14);
  }
  return chunks.length > 0 ? Uint8Array.from(chunks.flatMap((chunk) => [...chunk])) : undefined;
}

function findInWebp(view: DataView, bytes: Bytes): Uint8Array | undefined {
  // The profile is the first chunk after the header of an extended file.
  const hasProfile = view.getUint32(12) === fourCC("VP8X") && view.getUint32(30) === fourCC("ICCP");
  return hasProfile ? bytes(38, view.getUint32(34, true)) : undefined;
}

/** Searches for property boxes of the form: length, "colr", kind, contents. */
function findInAvif(view: DataView, bytes: Bytes): ColorInfo {
  const found: ColorInfo = {};
  for (let at = 4; at + 12 <= Math.min(view.byteLength, 2 ** 16); at++) {
    if (view.getUint32(at) !== fourCC("colr")) continue;
    const kind = view.getUint32(at + 4);
    if (kind === fourCC("nclx")) found.points ??= [view.getUint16(at + 8), view.getUint16(at + 10)];
    if (kind === fourCC("prof") || kind === fourCC("rICC"))
      found.profile ??= bytes(at + 8, view.getUint32(at - 4) - 12);
  }
  // A profile takes precedence over code points, unlike in a PNG.
  return found.profile ? { profile: found.profile } : found;
}

/** Returns the colour space of a profile with a matrix and three curves; undefined for other kinds. */
function spaceOfProfile(profile: Uint8Array | undefined): ColorSpace | undefined {
  if (!profile) return undefined;
  const view = viewOf(profile);
  if (!isRgb(view) || view.getUint32(20) !== fourCC("XYZ ")) return undefined;
  const [columns, curves] = [
    ["rXYZ", "gXYZ", "bXYZ"],
    ["rTRC", "gTRC", "bTRC"],
  ].map((names) => tagOffsets(view, names));
  if (columns.length + curves.length < 6) return undefined;
  const matrix = [8, 12, 16].flatMap((row) => columns.map((at) => readFixed(view, at + row)));
  const read = curves.map((at) => curveAt(view, at));
  return read.every((curve) => curve !== undefined) ? { matrix, curves: read } : undefined;
}

const isRgb = (profile: DataView) => profile.getUint32(16) === fourCC("RGB ");

/** Returns the offsets of the tags that a profile has of these. */
function tagOffsets(profile: DataView, names: string[]): number[] {
  const tags = new Map<number, number>();
  for (let i = 0; i < Math.min(profile.getUint32(128), 100); i++) {
    tags.set(profile.getUint32(132 + 12 * i), profile.getUint32(136 + 12 * i));
  }
  return names.flatMap((name) => tags.get(fourCC(name)) ?? []);
}

const readFixed = (view: DataView, at: number) => view.getInt32(at) / 65536;

function curveAt(view: DataView, at: number): Curve | undefined {
  if (view.getUint32(at) === fourCC("para")) return parametricCurve(view, at);
  if (view.getUint32(at) !== fourCC("curv")) return undefined;
  const count = view.getUint32(at + 8);
  if (count === 0) return (value) => value;
  if (count === 1) {
    const power = view.getUint16(at + 12) / 256;
    return (value) => value ** power;
  }
  const table = Float64Array.from(
    { length: Math.min(count, 65536) },
    (_, i) => view.getUint16(at + 12 + 2 * i) / 65535,
  );
  return (value) => interpolate(table, value);
}

/** Returns one of the five parametric curves of the ICC specification (parametricCurveType). */
function parametricCurve(view: DataView, at: number): Curve | undefined {
  const kind = view.getUint16(at + 8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined) return undefined;
  const [power, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, i) =>
    readFixed(view, at + 12 + 4 * i),
  );
  const raised = (value: number) => Math.max(a * value + b, 0) ** power;
  if (kind === 0) return raised;
  if (kind <= 2) return (value) => (a * value + b >= 0 ? raised(value) : 0) + c;
  return (value) => (value >= d ? raised(value) + e : c * value + f);
}

/** Interpolates a table over 0..1 linearly. */
function interpolate(table: Float64Array, value: number): number {
  const at = Math.min(Math.max(value, 0), 1) * (table.length - 1);
  const i = Math.min(Math.floor(at), table.length - 2);
  return table[i] + (at - i) * (table[i + 1] - table[i]);
}

function conversion({ curves, matrix }: ColorSpace): ToSrgb | undefined {
  const toSrgb = multiply(invert(matrices.srgb), matrix);
  if (isIdentity(converted(curves, toSrgb, srgbValue))) return undefined;
  const tables = [...curves, srgbValue].map(tableOf);
  if (![toSrgb, ...tables].every((numbers) => numbers.every(Number.isFinite))) return undefined;
  const [red, green, blue, value] = tables.map(
    (table): Curve =>
      (x) =>
        interpolate(table, x),
  );
  return converted([red, green, blue], toSrgb, value);
}

/** Entries of the tables that replace curves. The error of interpolation is below a thousandth of 1/255. */
const tableLength = 16384;

function tableOf(curve: Curve): Float64Array {
  const table = new Float64Array(tableLength);
  for (let i = 0; i < tableLength; i++) table[i] = curve(i / (tableLength - 1));
  return table;
}

function converted([red, green, blue]: Curve[], m: number[], value: Curve): ToSrgb {
  return (rgb) => {
    const [r, g, b] = [red(rgb[0]), green(rgb[1]), blue(rgb[2])];
    for (let row = 0; row < 3; row++) rgb[row] = value(m[3 * row] * r + m[3 * row + 1] * g + m[3 * row + 2] * b);
  };
}

/** Returns whether a conversion changes no value by more than 1/255, since sRGB profiles differ by rounding. */
function isIdentity(toSrgb: ToSrgb): boolean {
  const rgb = new Float64Array(3);
  // Each channel takes all values, each in its own order.
  return Array.from({ length: 256 }, (_, i) => [i, (i * 91 + 37) % 256, (i * 203 + 101) % 256]).every((bytes) => {
    for (let channel = 0; channel < 3; channel++) rgb[channel] = bytes[channel] / 255;
    toSrgb(rgb);
    return bytes.every((byte, channel) => Math.abs(255 * rgb[channel] - byte) <= 1);
  });
}

function multiply(a: number[], b: number[]): number[] {
  return a.map((_, i) => [0, 1, 2].reduce((sum, k) => sum + a[3 * Math.floor(i / 3) + k] * b[3 * k + (i % 3)], 0));
}

/** Inverts a 3×3 matrix by Cramer's rule. */
function invert(m: number[]): number[] {
  const minor = (i: number, j: number) => {
    const [r, s] = [(i + 1) % 3, (i + 2) % 3];
    const [c, d] = [(j + 1) % 3, (j + 2) % 3];
    return m[3 * r + c] * m[3 * s + d] - m[3 * r + d] * m[3 * s + c];
  };
  const determinant = [0, 1, 2].reduce((sum, j) => sum + m[j] * minor(0, j), 0);
  return m.map((_, i) => minor(i % 3, Math.floor(i / 3)) / determinant);
}
