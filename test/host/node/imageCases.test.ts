import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import type { Image } from "../../../src/engine/image/image.js";
import { decodeImage, decodeImageBytes } from "../../../src/host/node/imageFile.js";
import { StagedImage } from "../../../src/host/node/stagedImage.js";

const cases = "test/host/node/cases";
const folder = mkdtempSync(join(tmpdir(), "splatbook-"));
afterAll(() => rmSync(folder, { recursive: true }));

const damaged = (reason: string) => `NAME is damaged or truncated, or of a kind that is not supported: ${reason}.`;
const refused = (kind: string) => `NAME is ${kind}, which is not supported. Convert it to PNG, JPEG or WebP.`;
const samples = (depth: string, space: string) =>
  refused(`an image with ${depth} samples in the colour space ${space}`);

/** The first, middle and last pixel of each file, or its error. */
const expected: Record<string, string> = {
  "uint8-grey.tif": "070707 878787 f7f7f7",
  "uint16-grey.tif": "080808 878787 f7f7f7",
  "uint32-grey.tif": samples("uint", "b-w"),
  "int8-grey.tif": samples("char", "b-w"),
  "int16-grey.tif": samples("short", "grey16"),
  "int32-grey.tif": samples("int", "b-w"),
  "float16-grey.tif": samples("float", "grey16"),
  "float32-grey.tif": samples("float", "b-w"),
  "float32-rgb.tif": samples("float", "scrgb"),
  "float64-grey.tif": damaged("samples out of range"),
  "uint8-lab.tif": damaged("image: bad labq format"),
  "uint16-lab.tif": samples("short", "labs"),
  "uint8-cmyk.tif": "ee89b5 7a74ad 0061a4",
  "alpha-associated.tif": "e3b17f e3b17f e3b17f",
  "alpha-straight.tif": "e3b17f e3b17f e3b17f",
  "extra-unspecified.tif": "078000 878000 f78000",
  "strip-jpeg-garbage.tif": damaged("Not a JPEG file: starts with 0x00 0x00"),
  "strip-lzw-garbage.tif": damaged("Using code not yet in table"),
  "strip-packbits-short.tif": damaged("Not enough data for scanline 0"),
  "strip-raw-short.tif": damaged("Read error at scanline 4294967295; got 64 bytes, expected 768"),
  "strip-ojpeg.tif": refused("a TIFF with colours in YCbCr"),
  "tile-jpeg-garbage.tif": damaged("decompress error tile 0 x 0"),
  "tile-lzw-garbage.tif": damaged("Using code not yet in table"),
  "tile-raw-short.tif": damaged(
    "Not enough data for scanline 0, expected a request for at most 64 bytes, got a request for 768 bytes",
  ),
  "animated.webp": "ffffff ff0000 ffffff",
  "table-profile.png": "a25f00 00a5ff 00a5ff",
  "jpeg-reference.jpg": "01007f 7f817e faef83",
  "junk-before-dqt.jpg": "01007f 7f817e faef83",
  "sos-se0.jpg": "01007f 7f817e faef83",
  "truncated.jpg": damaged("premature end of JPEG image"),
  "lossless.jpg": damaged("Invalid progressive/lossless parameters Ss=0 Se=63 Ah=0 Al=0"),
  "12-bit.jpg": damaged("Unsupported JPEG data precision 12"),
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

  it("gives the reason for what it does not support in a TIFF", async () => {
    const tags: [tag: number, value: number, error: string][] = [
      [259, 50000, damaged("ZSTD compression support is not configured")],
      [259, 12345, damaged("Compression scheme 12345 strip decoding is not implemented")],
      [258, 12, damaged("samples_per_pixel not a whole number of bytes")],
      [262, 6, refused("a TIFF with colours in YCbCr")],
      [277, 3, refused("an image with 3 samples per pixel")],
    ];
    for (const [tag, value, error] of tags)
      assert.equal(await summaryOf("it", decodeImageBytes(withTag("uint8-grey.tif", tag, value), "it")), error);
  });

  it("refuses a JPEG with a harmless warning that is truncated", async () => {
    for (const name of ["sos-se0.jpg", "junk-before-dqt.jpg"]) {
      const cut = readFileSync(join(cases, name)).subarray(0, 720);
      assert.equal(await summaryOf("it", decodeImageBytes(cut, "it")), damaged("premature end of JPEG image"), name);
    }
  });
});
