import { inflateAtMost } from "../engine/files/inflate.js";
import { pictureHead } from "./pictureHead.js";

/** Turns one colour, of values 0..1, into sRGB, in place; what sRGB has not is clipped. */
export type ToSrgb = (rgb: Float64Array) => void;

/** Bytes of a profile, at most: those of matrices and curves are shorter by far. */
const mostBytes = 2 ** 24;

/**
 * The conversion to sRGB that a picture's file asks for: by its coding-independent code points (cICP, nclx) or by its
 * ICC profile of a matrix and three curves, such as Display P3 or Adobe RGB.
 * @param head the file, or as much of its beginning as there is
 * @param icc the profile, where who calls has it already
 * @returns undefined where its values are sRGB as they are: it says so, or says nothing, or has a profile of another
 * kind (tables, CMYK, grey). PNG's gAMA and cHRM are passed over, as most files that have them are sRGB
 */
export function toSrgbOf(head: Uint8Array, icc?: Uint8Array): ToSrgb | undefined {
  try {
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const { points, profile } = findColor(view);
    const space = (points && spaceOfPoints(points)) ?? spaceOfProfile(icc ?? profile);
    return space && conversion(space);
  } catch (error) {
    // It is cut off, or damaged.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Where a file's colours lie: a channel's light by its value, and XYZ of D50 by the light, row by row. */
interface ColorSpace {
  curves: Curve[];
  matrix: number[];
}

type Curve = (value: number) => number;

/** XYZ of D50 by the light of primaries, as ICC profiles hold them. */
const matrices = {
  srgb: [0.436065, 0.385147, 0.143066, 0.222488, 0.716873, 0.060608, 0.013916, 0.097076, 0.714096],
  displayP3: [0.515121, 0.291977, 0.157104, 0.241196, 0.692245, 0.066574, -0.001053, 0.041885, 0.784073],
  bt2020: [0.673462, 0.165665, 0.125076, 0.279037, 0.675339, 0.045624, -0.001938, 0.029984, 0.797164],
};

const srgbCurve: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const srgbValue: Curve = (light) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

/** Code points of ITU-T H.273; those of high dynamic range are not known. */
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

interface Found {
  /** Primaries and transfer. */
  points?: number[];
  profile?: Uint8Array | undefined;
}

/** @throws RangeError where the file ends too early */
function findColor(view: DataView): Found {
  const bytes = (start: number, length: number) => new Uint8Array(view.buffer, view.byteOffset + start, length);
  switch (pictureHead(bytes(0, view.byteLength))?.format) {
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

const code = (name: string) => [...name].reduce((sum, letter) => 256 * sum + letter.charCodeAt(0), 0);

function findInPng(view: DataView, bytes: Bytes): Found {
  const found: Found = {};
  for (let at = 8; ; at += 12 + view.getUint32(at)) {
    const [length, type] = [view.getUint32(at), view.getUint32(at + 4)];
    if (type === code("IDAT")) return found;
    if (type === code("cICP")) found.points = [...bytes(at + 8, 2)];
    if (type !== code("iCCP")) continue;
    const chunk = bytes(at + 8, length);
    // A name that ends with 0, the method, and the two bytes before deflated data.
    found.profile = inflateAtMost(chunk.subarray(chunk.indexOf(0) + 4), mostBytes);
  }
}

/** Its segments may each hold a part of the profile. */
function findInJpeg(view: DataView, bytes: Bytes): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  const mark = "ICC_PROFILE\0";
  for (let at = 2; ; ) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) return parts.length > 0 ? Uint8Array.from(parts.flatMap((part) => [...part])) : undefined;
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)) {
      at += 2;
      continue;
    }
    const length = view.getUint16(at + 2);
    const isProfile = marker === 0xe2 && length >= 16 && String.fromCharCode(...bytes(at + 4, 12)) === mark;
    if (isProfile) parts[view.getUint8(at + 16) - 1] = bytes(at + 18, length - 16);
    at += 2 + length;
  }
}

function findInWebp(view: DataView, bytes: Bytes): Uint8Array | undefined {
  // Behind the head of an extended file, as its first chunk.
  const isThere = view.getUint32(12) === code("VP8X") && view.getUint32(30) === code("ICCP");
  return isThere ? bytes(38, view.getUint32(34, true)) : undefined;
}

/** A box of its properties: its length, "colr", the kind, and what it holds. */
function findInAvif(view: DataView, bytes: Bytes): Found {
  const found: Found = {};
  for (let at = 4; at + 12 <= Math.min(view.byteLength, 2 ** 16); at++) {
    if (view.getUint32(at) !== code("colr")) continue;
    const kind = view.getUint32(at + 4);
    if (kind === code("nclx")) found.points ??= [view.getUint16(at + 8), view.getUint16(at + 10)];
    if (kind === code("prof") || kind === code("rICC")) found.profile ??= bytes(at + 8, view.getUint32(at - 4) - 12);
  }
  // A profile counts before code points, unlike in a PNG.
  return found.profile ? { profile: found.profile } : found;
}

/** @returns undefined for a profile of another kind than a matrix and three curves */
function spaceOfProfile(profile: Uint8Array | undefined): ColorSpace | undefined {
  if (!profile) return undefined;
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  if (view.getUint32(16) !== code("RGB ") || view.getUint32(20) !== code("XYZ ")) return undefined;
  const tags = new Map<number, number>();
  for (let i = 0; i < Math.min(view.getUint32(128), 100); i++) {
    tags.set(view.getUint32(132 + 12 * i), view.getUint32(136 + 12 * i));
  }
  const of = (names: string[]) => names.flatMap((name) => tags.get(code(name)) ?? []);
  const [columns, curves] = [of(["rXYZ", "gXYZ", "bXYZ"]), of(["rTRC", "gTRC", "bTRC"])];
  if (columns.length + curves.length < 6) return undefined;
  const matrix = [8, 12, 16].flatMap((row) => columns.map((at) => fixed(view, at + row)));
  const read = curves.map((at) => curveAt(view, at));
  return read.every((curve) => curve !== undefined) ? { matrix, curves: read } : undefined;
}

const fixed = (view: DataView, at: number) => view.getInt32(at) / 65536;

function curveAt(view: DataView, at: number): Curve | undefined {
  if (view.getUint32(at) === code("para")) return parametricCurve(view, at);
  if (view.getUint32(at) !== code("curv")) return undefined;
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
  return (value) => between(table, value);
}

/** The five kinds of the ICC's specification (parametricCurveType): a power, and from the second kind on a line below it. */
function parametricCurve(view: DataView, at: number): Curve | undefined {
  const kind = view.getUint16(at + 8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined) return undefined;
  const [power, a = 1, b = 0, third = 0, fourth = 0, e = 0, f = 0] = Array.from({ length: count }, (_, i) =>
    fixed(view, at + 12 + 4 * i),
  );
  const raised = (value: number) => Math.max(a * value + b, 0) ** power;
  if (kind === 0) return raised;
  if (kind <= 2) return (value) => (a * value + b >= 0 ? raised(value) : 0) + third;
  return (value) => (value >= fourth ? raised(value) + e : third * value + f);
}

/** A table's value between two of its entries; its ends are those of 0 and 1. */
function between(table: Float64Array, value: number): number {
  const at = Math.min(Math.max(value, 0), 1) * (table.length - 1);
  const i = Math.min(Math.floor(at), table.length - 2);
  return table[i] + (at - i) * (table[i + 1] - table[i]);
}

function conversion({ curves, matrix }: ColorSpace): ToSrgb | undefined {
  const toSrgb = product(inverse(matrices.srgb), matrix);
  if (isIdentity(converted(curves, toSrgb, srgbValue))) return undefined;
  const tables = [...curves, srgbValue].map(tableOf);
  if (![toSrgb, ...tables].every((numbers) => numbers.every(Number.isFinite))) return undefined;
  const [red, green, blue, value] = tables.map(
    (table): Curve =>
      (x) =>
        between(table, x),
  );
  return converted([red, green, blue], toSrgb, value);
}

/** Entries of the tables that take the place of curves: between two of them none is off by a thousandth of 1/255. */
const entries = 16384;

function tableOf(curve: Curve): Float64Array {
  const table = new Float64Array(entries);
  for (let i = 0; i < entries; i++) table[i] = curve(i / (entries - 1));
  return table;
}

function converted([red, green, blue]: Curve[], m: number[], value: Curve): ToSrgb {
  return (rgb) => {
    const [r, g, b] = [red(rgb[0]), green(rgb[1]), blue(rgb[2])];
    for (let row = 0; row < 3; row++) rgb[row] = value(m[3 * row] * r + m[3 * row + 1] * g + m[3 * row + 2] * b);
  };
}

/** Whether a conversion changes no value by more than one of 255: profiles of sRGB differ by their rounding alone. */
function isIdentity(toSrgb: ToSrgb): boolean {
  const rgb = new Float64Array(3);
  // Each channel takes all values, in another order than the others.
  return Array.from({ length: 256 }, (_, i) => [i, (i * 91 + 37) % 256, (i * 203 + 101) % 256]).every((bytes) => {
    for (let channel = 0; channel < 3; channel++) rgb[channel] = bytes[channel] / 255;
    toSrgb(rgb);
    return bytes.every((byte, channel) => Math.abs(255 * rgb[channel] - byte) <= 1);
  });
}

function product(a: number[], b: number[]): number[] {
  return a.map((_, i) => [0, 1, 2].reduce((sum, k) => sum + a[3 * Math.floor(i / 3) + k] * b[3 * k + (i % 3)], 0));
}

/** Of three rows, by Cramer's rule. */
function inverse(m: number[]): number[] {
  const minor = (i: number, j: number) => {
    const [r, s] = [(i + 1) % 3, (i + 2) % 3];
    const [c, d] = [(j + 1) % 3, (j + 2) % 3];
    return m[3 * r + c] * m[3 * s + d] - m[3 * r + d] * m[3 * s + c];
  };
  const determinant = [0, 1, 2].reduce((sum, j) => sum + m[j] * minor(0, j), 0);
  return m.map((_, i) => minor(i % 3, Math.floor(i / 3)) / determinant);
}
