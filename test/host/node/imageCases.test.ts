import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import type { Image } from "../../../src/engine/image/image.js";
import { decodeImage, decodeImageBytes } from "../../../src/host/node/imageFile.js";
import { imageSize, StagedImage } from "../../../src/host/node/stagedImage.js";

const cases = "test/host/node/cases";
const folder = mkdtempSync(join(tmpdir(), "splatbook-"));
afterAll(() => rmSync(folder, { recursive: true }));

const damaged = "NAME is damaged or truncated.";
const refused = (kind: string) => `NAME is ${kind}, which is not supported. Convert it to PNG, JPEG or WebP.`;
const tiff = (what: string) => refused(`a TIFF with ${what}`);
const tooLarge = (format: string, size: string) =>
  `NAME must be at most 67,108,864 pixels, since ${format} is decoded as a whole (got "${size}"). Convert it to TIFF.`;

/** The first, middle and last pixel of each file, or its error. */
const expected: Record<string, string> = {
  "uint8-grey.tif": "070707 878787 f7f7f7",
  "uint16-grey.tif": "080808 878787 f7f7f7",
  "uint32-grey.tif": tiff("32-bit samples"),
  "int8-grey.tif": tiff("8-bit signed samples"),
  "int16-grey.tif": tiff("16-bit signed samples"),
  "int32-grey.tif": tiff("32-bit signed samples"),
  "float16-grey.tif": tiff("16-bit float samples"),
  "float32-grey.tif": tiff("32-bit float samples"),
  "float32-rgb.tif": tiff("32-bit float samples"),
  "float64-grey.tif": tiff("64-bit float samples"),
  "uint8-lab.tif": tiff("colours in CIELab"),
  "uint16-lab.tif": tiff("colours in CIELab"),
  "uint8-cmyk.tif": "ee89b5 7a74ad 0061a4",
  "alpha-associated.tif": "e3b17f e3b17f e3b17f",
  "alpha-straight.tif": "e3b17f e3b17f e3b17f",
  "extra-unspecified.tif": "078000 878000 f78000",
  "strip-jpeg-garbage.tif": damaged,
  "strip-lzw-garbage.tif": damaged,
  "strip-packbits-short.tif": damaged,
  "strip-raw-short.tif": damaged,
  "strip-ojpeg.tif": tiff("old-style JPEG compression"),
  "tile-jpeg-garbage.tif": damaged,
  "tile-lzw-garbage.tif": damaged,
  "tile-raw-short.tif": damaged,
  "avif-reference.png": "000000 919191 ffffff",
  "colour-limited.avif": "000000 929292 ffffff",
  "mono-limited.avif": "000000 929292 ffffff",
  "mono-full.avif": "000000 919191 ffffff",
  "mono-limited-sequence.avif": "000000 929292 ffffff",
  "alpha-full.avif": "e3b198 e3b198 e3b198",
  "alpha-limited.avif": refused("an AVIF with alpha and limited range in grey or alpha"),
  "animated.avif": "02057a 7d8379 f5ee86",
  "animated.webp": "ffffff ff0000 ffffff",
  "frame-smaller-than-canvas.gif": "ffffff ff0000 ffffff",
  "canvas-10000.gif": tooLarge("GIF", "10000x10000"),
  "table-profile.png": "a25f00 00a5ff 00a5ff",
  "jpeg-reference.jpg": "01007f 7f817e faef83",
  "junk-before-dqt.jpg": "01007f 7f817e faef83",
  "sos-se0.jpg": "01007f 7f817e faef83",
  "truncated.jpg": damaged,
  "lossless.jpg": refused("a lossless JPEG"),
  "12-bit.jpg": refused("a JPEG of 12 bits"),
};

/** Returns three pixels of an image in hexadecimal, or its error. */
async function summaryOf(path: string, image: Promise<Image>): Promise<string> {
  try {
    const { width, height, data } = await image;
    const middle = Math.floor(height / 2) * width + Math.floor(width / 2);
    const pixelAt = (i: number) => Buffer.from(data.subarray(4 * i, 4 * i + 3)).toString("hex");
    return [0, middle, width * height - 1].map(pixelAt).join(" ");
  } catch (error) {
    return (error as Error).message.replace(path, "NAME");
  }
}

async function decodeStaged(path: string): Promise<Image> {
  const staged = await StagedImage.open(path, join(folder, "staged.v"));
  return staged.crop({ x: 0, y: 0, width: staged.width, height: staged.height }).finally(() => staged.close());
}

/** Returns the bytes of a TIFF with the value of a tag replaced. */
function withTag(name: string, tag: number, value: number): Buffer {
  const bytes = readFileSync(join(cases, name));
  let entry = 10;
  while (bytes.readUInt16LE(entry) !== tag) entry += 12;
  bytes.writeUInt16LE(value, entry + 8);
  return bytes;
}

describe("decodeImage()", () => {
  it("covers every file of cases/", () => assert.deepEqual(Object.keys(expected).sort(), readdirSync(cases).sort()));

  for (const [name, summary] of Object.entries(expected)) {
    it(`${name}: ${summary}`, async () => {
      const path = join(cases, name);
      assert.equal(await summaryOf(path, decodeImage(path)), summary);
      assert.equal(await summaryOf(path, decodeStaged(path)), summary, "on the disk");
    });
  }

  it("names what it does not support in a TIFF, and HEIC", async () => {
    const tags: [tag: number, value: number, what: string][] = [
      [259, 50000, "ZSTD compression"],
      [259, 34925, "LZMA compression"],
      [259, 12345, "unknown (12345) compression"],
      [258, 12, "12-bit samples"],
      [262, 6, "colours in YCbCr"],
      [277, 3, "3 samples per pixel"],
    ];
    for (const [tag, value, what] of tags)
      assert.equal(await summaryOf("it", decodeImageBytes(withTag("uint8-grey.tif", tag, value), "it")), tiff(what));
    const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
    assert.equal(await summaryOf("it", decodeImageBytes(heic, "it")), refused("a HEIC image"));
  });

  it("refuses a JPEG with a harmless warning that is truncated", async () => {
    for (const name of ["sos-se0.jpg", "junk-before-dqt.jpg"]) {
      const cut = readFileSync(join(cases, name)).subarray(0, 720);
      assert.equal(await summaryOf("it", decodeImageBytes(cut, "it")), damaged, name);
    }
  });

  it("limits the pixels of a format that is decoded as a whole, by its header", async () => {
    const path = join(folder, "large.avif");
    const bytes = readFileSync(join(cases, "mono-full.avif"));
    bytes.writeUInt32BE(2_000_000, bytes.indexOf("ispe") + 12);
    writeFileSync(path, bytes);
    await assert.rejects(imageSize(path), { message: tooLarge("AVIF", "64x2000000").replace("NAME", path) });
  });
});
