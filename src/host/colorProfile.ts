import { concat } from "../engine/concat.js";
import { inflateAtMost } from "../engine/files/inflate.js";
import { avifBoxes, hasText, ifWhole, imageHeader, jpegSegments, viewOf } from "./imageHeader.js";

/** Converts a colour with values 0..1 to sRGB, in place. Values outside sRGB are clipped. */
export type ToSrgb = (rgb: Float64Array) => void;

/** What an image file declares about its colours. */
interface Colors {
  /** Undefined if the values are used as sRGB. */
  toSrgb?: ToSrgb | undefined;
  /** Whether an RGB profile consists of tables, which is not converted here. */
  hasTables?: boolean;
}

/** Largest size of a profile in bytes. Profiles with matrices and curves are much smaller. */
const maxBytes = 2 ** 24;

/**
 * Returns the conversion to sRGB for an image file: from its coding-independent code points (cICP, nclx) or its ICC
 * profile with a matrix and three curves, such as Display P3 or Adobe RGB. Little CMS and browsers would round some
 * values to another level, each to its own, and browsers can also convert to the colours of the display.
 * @param head the file, or its beginning
 * @param icc the profile, if the caller already has it
 * @returns no conversion if the file declares sRGB or nothing, or has a profile of another kind (tables, CMYK, grey).
 * gAMA and cHRM of PNG are ignored, since most files with them are sRGB
 */
export function readColors(head: Uint8Array, icc?: Uint8Array): Colors {
  const read = (): Colors => {
    const { points, profile = new Uint8Array() } = { ...findColor(head), ...(icc && { profile: icc }) };
    const space = spaceOfPoints(points) ?? spaceOfProfile(profile);
    if (space) return { toSrgb: conversion(space) };
    return { hasTables: hasText(profile, 16, "RGB ") && tagOffsets(profile, ["A2B0"]).length > 0 };
  };
  return ifWhole(read) ?? {};
}

/** A colour space: the curve of each channel from value to light, and the row-major matrix from light to XYZ (D50). */
interface ColorSpace {
  curves: Curve[];
  matrix: number[];
}

type Curve = (value: number) => number;

/** The row-major matrix from XYZ (D50) to linear sRGB. */
const xyzToSrgb = [3.134117, -1.6173955, -0.4906322, -0.9787872, 1.91628, 0.0334539, 0.0719824, -0.2289848, 1.4053854];

const srgbCurve: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const srgbValue: Curve = (light) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

/** Matrices by code points of ITU-T H.273: sRGB, BT.2020 and Display P3. */
const matrixByCode: Record<number, number[]> = {
  1: [0.436065, 0.385147, 0.143066, 0.222488, 0.716873, 0.060608, 0.013916, 0.097076, 0.714096],
  9: [0.673462, 0.165665, 0.125076, 0.279037, 0.675339, 0.045624, -0.001938, 0.029984, 0.797164],
  12: [0.515121, 0.291977, 0.157104, 0.241196, 0.692245, 0.066574, -0.001053, 0.041885, 0.784073],
};
/** Curves by code points, without those of high dynamic range. */
const curveByCode: Record<number, Curve> = { 4: (value) => value ** 2.2, 8: (value) => value, 13: srgbCurve };

function spaceOfPoints([primaries, transfer]: number[] = []): ColorSpace | undefined {
  const [matrix, curve] = [matrixByCode[primaries], curveByCode[transfer]];
  return matrix && curve && { matrix, curves: [curve, curve, curve] };
}

interface ColorInfo {
  /** Primaries and transfer. */
  points?: number[];
  profile?: Uint8Array;
}

/** @throws RangeError if the file is truncated */
function findColor(head: Uint8Array): ColorInfo {
  const view = viewOf(head);
  const found: ColorInfo = {};
  const { format } = imageHeader(head) ?? {};
  if (format === "png") {
    for (let at = 8; !hasText(head, at + 4, "IDAT"); at += 12 + view.getUint32(at)) {
      const chunk = head.subarray(at + 8, at + 8 + view.getUint32(at));
      if (hasText(head, at + 4, "cICP")) found.points = [...chunk];
      // A zero-terminated name, the method, and the two-byte header of zlib.
      if (hasText(head, at + 4, "iCCP")) found.profile = inflateAtMost(chunk.subarray(chunk.indexOf(0) + 4), maxBytes);
    }
  }
  if (format === "jpeg") {
    const parts: Uint8Array[] = [];
    for (const { marker, start, length } of jpegSegments(view)) {
      if (marker === 0xda) break;
      if (marker === 0xe2 && hasText(head, start, "ICC_PROFILE\0"))
        parts.push(head.subarray(start + 14, start + length));
    }
    found.profile = concat(parts);
  }
  // The profile is the first chunk after the header of an extended WebP.
  if (format === "webp" && hasText(head, 12, "VP8X") && hasText(head, 30, "ICCP"))
    found.profile = head.subarray(38, 38 + view.getUint32(34, true));
  if (format === "avif") {
    for (const at of avifBoxes(view, "colr")) {
      if (hasText(head, at + 4, "nclx")) found.points ??= [view.getUint16(at + 8), view.getUint16(at + 10)];
      else found.profile ??= head.subarray(at + 8, at - 4 + view.getUint32(at - 4));
    }
    // A profile takes precedence over code points, unlike in a PNG.
    if (found.profile) delete found.points;
  }
  return found;
}

/** Returns the colour space of a profile with a matrix and three curves; undefined for other kinds. */
function spaceOfProfile(profile: Uint8Array): ColorSpace | undefined {
  if (!hasText(profile, 16, "RGB XYZ ")) return undefined;
  const columns = tagOffsets(profile, ["rXYZ", "gXYZ", "bXYZ"]);
  const curves = tagOffsets(profile, ["rTRC", "gTRC", "bTRC"]).flatMap((at) => curveAt(profile, at) ?? []);
  if (columns.length + curves.length < 6) return undefined;
  return { matrix: [8, 12, 16].flatMap((row) => columns.map((at) => fixedAt(profile, at + row))), curves };
}

/** Returns the offsets of the tags that a profile has of these. */
function tagOffsets(profile: Uint8Array, names: string[]): number[] {
  const view = viewOf(profile);
  const entries = Array.from({ length: Math.min(view.getUint32(128), 100) }, (_, i) => 132 + 12 * i);
  return names.flatMap((name) => {
    const entry = entries.find((at) => hasText(profile, at, name));
    return entry === undefined ? [] : view.getUint32(entry + 4);
  });
}

const fixedAt = (profile: Uint8Array, at: number) => viewOf(profile).getInt32(at) / 65536;

function curveAt(profile: Uint8Array, at: number): Curve | undefined {
  const view = viewOf(profile);
  if (hasText(profile, at, "curv")) {
    const length = Math.min(view.getUint32(at + 8), 65536);
    const table = Float64Array.from({ length }, (_, i) => view.getUint16(at + 12 + 2 * i) / 65535);
    if (length > 1) return (value) => interpolate(table, value);
    const power = length === 0 ? 1 : view.getUint16(at + 12) / 256;
    return (value) => value ** power;
  }
  const kind = view.getUint16(at + 8);
  const count = [1, 3, 4, 5, 7][kind];
  if (!hasText(profile, at, "para") || count === undefined) return undefined;
  // The five parametric curves of the ICC specification. The first three have a constant below -b/a.
  const numbers = Array.from({ length: count }, (_, i) => fixedAt(profile, at + 12 + 4 * i));
  const [power, a = 1, b = 0, offset = 0] = numbers;
  const [c, d, e = 0, f = 0] = kind < 3 ? [0, -b / a, offset, offset] : numbers.slice(3);
  return (value) => (value >= d ? Math.max(a * value + b, 0) ** power + e : c * value + f);
}

/** Interpolates a table over 0..1 linearly. */
function interpolate(table: Float64Array, value: number): number {
  const at = Math.min(Math.max(value, 0), 1) * (table.length - 1);
  const i = Math.min(Math.floor(at), table.length - 2);
  return table[i] + (at - i) * (table[i + 1] - table[i]);
}

/** Entries of the tables that replace curves. The error of interpolation is below a thousandth of 1/255. */
const tableLength = 16384;

function tableOf(curve: Curve): Float64Array {
  return new Float64Array(tableLength).map((_, i) => curve(i / (tableLength - 1)));
}

/** Returns the conversion; undefined if it is not finite or changes no value by more than rounding. */
function conversion({ curves, matrix }: ColorSpace): ToSrgb | undefined {
  const m = xyzToSrgb.map((_, i) =>
    [0, 1, 2].reduce((sum, k) => sum + xyzToSrgb[i - (i % 3) + k] * matrix[3 * k + (i % 3)], 0),
  );
  const [red, green, blue, value] = [...curves, srgbValue].map(tableOf);
  const toSrgb: ToSrgb = (rgb) => {
    const [r, g, b] = [interpolate(red, rgb[0]), interpolate(green, rgb[1]), interpolate(blue, rgb[2])];
    for (let row = 0; row < 3; row++)
      rgb[row] = interpolate(value, m[3 * row] * r + m[3 * row + 1] * g + m[3 * row + 2] * b);
  };
  const change = largestChange(toSrgb);
  return Number.isFinite(change) && change > 1 / 255 ? toSrgb : undefined;
}

function largestChange(toSrgb: ToSrgb): number {
  // Each channel takes all values, each in its own order.
  const colors = Array.from({ length: 256 }, (_, i) => [i, (i * 91 + 37) % 256, (i * 203 + 101) % 256]);
  const changes = colors.flatMap((bytes) => {
    const rgb = Float64Array.from(bytes, (byte) => byte / 255);
    toSrgb(rgb);
    return bytes.map((byte, channel) => Math.abs(rgb[channel] - byte / 255));
  });
  return Math.max(...changes);
}
