import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { describe, it } from "vitest";
import type { Image } from "../../src/engine/image/image.js";
import { readColors } from "../../src/host/colorProfile.js";
import { decodeImageBytes } from "../../src/host/node/imageFile.js";
import { pngChunk } from "../support/pngChunk.js";

const toSrgbOf = (head: Uint8Array, icc?: Uint8Array) => readColors(head, icc).toSrgb;
const gallery = (name: string) => readFileSync(`data/images/${name}`);
const small = await sharp(gallery("coffee.png")).resize(48, 32).removeAlpha().png().toBuffer();
const original = await decodeImageBytes(small, "small");

function meanDifference(a: Image["data"], b: ArrayLike<number>): number {
  assert.equal(a.length, b.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / (0.75 * a.length);
}

function largestDifference(a: Image["data"], b: ArrayLike<number>): number {
  assert.equal(a.length, b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

const formats: Record<string, (image: Sharp) => Sharp> = {
  PNG: (image) => image.png(),
  JPEG: (image) => image.jpeg({ quality: 100, chromaSubsampling: "4:4:4" }),
  WebP: (image) => image.webp({ lossless: true }),
  TIFF: (image) => image.tiff({ compression: "lzw" }),
  AVIF: (image) => image.avif({ lossless: true, chromaSubsampling: "4:4:4", effort: 0 }),
};

/** Adds a chunk before the pixels of a PNG. */
function withChunk(png: Buffer, type: string, data: number[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, Uint8Array.from(data)), png.subarray(33)]);
}

/** A profile with only a matrix and one curve. */
function profileOf(colorants: number[][], curve: Buffer, space = "RGB "): Buffer {
  const tags: [string, Buffer][] = ["rXYZ", "gXYZ", "bXYZ"].map((name, i) => {
    const data = Buffer.alloc(20);
    data.write("XYZ ");
    for (const [k, value] of colorants[i].entries()) data.writeInt32BE(Math.round(65536 * value), 8 + 4 * k);
    return [name, data];
  });
  for (const name of ["rTRC", "gTRC", "bTRC"]) tags.push([name, curve]);
  const head = Buffer.alloc(132 + 12 * tags.length);
  head.write(space, 16);
  head.write("XYZ ", 20);
  head.writeUInt32BE(tags.length, 128);
  let at = head.length;
  for (const [i, [name, data]] of tags.entries()) {
    head.write(name, 132 + 12 * i);
    head.writeUInt32BE(at, 136 + 12 * i);
    head.writeUInt32BE(data.length, 140 + 12 * i);
    at += data.length;
  }
  return Buffer.concat([head, ...tags.map(([, data]) => data)]);
}

const srgbColorants = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
];

/** A parametric curve of the ICC. */
function parametric(kind: number, ...values: number[]): Buffer {
  const curve = Buffer.alloc(12 + 4 * values.length);
  curve.write("para");
  curve.writeUInt16BE(kind, 8);
  for (const [i, value] of values.entries()) curve.writeInt32BE(Math.round(65536 * value), 12 + 4 * i);
  return curve;
}

describe("an image with a profile other than sRGB", () => {
  for (const [format, write] of Object.entries(formats)) {
    it(`is converted from Display P3 to sRGB, as a ${format}`, async () => {
      const bytes = await write(sharp(small).withIccProfile("p3")).toBuffer();
      const stored = await sharp(bytes, { ignoreIcc: true }).ensureAlpha().raw().toBuffer();
      assert.ok(meanDifference(original.data, stored) > 4, "the values in the file differ");
      const mean = meanDifference(original.data, (await decodeImageBytes(bytes, format)).data);
      assert.ok(mean < 1, `the values are ${mean} apart`);
      if (format === "TIFF") return;
      // As in a browser, which finds the profile in the file.
      const rgb = Float64Array.of(0.9, 0.5, 0.1);
      const { icc } = await sharp(bytes).metadata();
      const given = rgb.slice();
      toSrgbOf(bytes, icc)!(given);
      toSrgbOf(bytes)!(rgb);
      assert.deepEqual([...rgb], [...given]);
    });
  }

  it("is converted from Adobe RGB as by Little CMS", async () => {
    const jpeg = gallery("rocket.jpg");
    const theirs = await sharp(jpeg).ensureAlpha().toColourspace("srgb").raw().toBuffer();
    const { data } = await decodeImageBytes(jpeg, "rocket.jpg");
    const differing = data.reduce((sum, value, i) => sum + Number(Math.abs(value - theirs[i]) > 1), 0);
    assert.ok(differing / data.length < 1e-3, `${differing} of ${data.length} values differ by more than 1`);
  });

  it("uses the code points of a PNG before its profile", async () => {
    const p3 = await sharp(small).withIccProfile("p3").png().toBuffer();
    const values = await sharp(p3, { ignoreIcc: true }).png().toBuffer();
    const coded = withChunk(values, "cICP", [12, 13, 0, 1]);
    assert.ok(largestDifference(original.data, (await decodeImageBytes(coded, "coded.png")).data) <= 3);
    const srgb = withChunk(p3, "cICP", [1, 13, 0, 1]);
    const stored = await sharp(p3, { ignoreIcc: true }).ensureAlpha().raw().toBuffer();
    assert.equal(largestDifference((await decodeImageBytes(srgb, "srgb.png")).data, stored), 0);
    // High dynamic range.
    assert.equal(toSrgbOf(withChunk(values, "cICP", [9, 16, 0, 1])), undefined);
  });

  it("keeps white and transparent pixels", async () => {
    const rgba = Uint8Array.of(255, 255, 255, 255, 200, 30, 40, 0);
    const image = sharp(rgba, { raw: { width: 2, height: 1, channels: 4 } });
    const { data } = await decodeImageBytes(await image.withIccProfile("p3").png().toBuffer(), "clear.png");
    assert.deepEqual([...data], new Array(8).fill(255));
  });
});

describe("an image that declares sRGB, nothing, or something unknown", () => {
  it("keeps every value", async () => {
    for (const name of ["astronaut.png", "retina.jpg"]) {
      const bytes = gallery(name);
      assert.equal(toSrgbOf(bytes, (await sharp(bytes).metadata()).icc), undefined, name);
    }
    const bytes = await sharp(small).withIccProfile("srgb").png().toBuffer();
    assert.equal(toSrgbOf(bytes), undefined);
    const stored = await sharp(bytes, { ignoreIcc: true }).ensureAlpha().raw().toBuffer();
    assert.equal(largestDifference((await decodeImageBytes(bytes, "srgb.png")).data, stored), 0);
    // Many programs declare sRGB as gamma 2.2 without a profile.
    assert.equal(toSrgbOf(withChunk(small, "gAMA", [0, 0, 0xb1, 0x8f])), undefined);
  });

  it("keeps them if a profile is damaged, truncated, of another kind, or gives NaN", async () => {
    const p3 = await sharp(small).withIccProfile("p3").png().toBuffer();
    const icc = (await sharp(p3).metadata()).icc!;
    for (let length = 0; length < icc.length; length += 31) {
      assert.doesNotThrow(() => toSrgbOf(new Uint8Array(), icc.subarray(0, length)));
    }
    for (let length = 0; length < p3.length; length += 61) assert.doesNotThrow(() => toSrgbOf(p3.subarray(0, length)));
    const linear = Buffer.from("curv\0\0\0\0\0\0\0\0");
    assert.ok(toSrgbOf(new Uint8Array(), profileOf(srgbColorants, linear)), "the intact profile is used");
    for (const other of [
      profileOf(srgbColorants, linear, "CMYK"),
      profileOf(srgbColorants, parametric(5, 1)),
      profileOf(srgbColorants, parametric(0, -1)),
    ]) {
      assert.equal(toSrgbOf(new Uint8Array(), other), undefined);
    }
  });
});
