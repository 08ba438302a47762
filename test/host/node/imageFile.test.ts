import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, describe, it } from "vitest";
import { crc32 } from "../../../src/engine/files/splat2d/crc32.js";
import type { Image } from "../../../src/engine/image/image.js";
import { decodeImage, encodePng } from "../../../src/host/node/imageFile.js";
import { imageSize } from "../../../src/host/node/stagedImage.js";
import { pngChunk } from "../../support/pngChunk.js";

const folder = mkdtempSync(join(tmpdir(), "splatbook-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The 3×2 pixels of the files below. */
const colors = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [10, 20, 30],
  [128, 128, 128],
  [250, 240, 230],
];
const raw = { width: 3, height: 2, channels: 3 } as const;
const rgb = () => sharp(Uint8Array.from(colors.flat()), { raw });

async function decode(name: string, bytes: Promise<Buffer>): Promise<Image> {
  const path = join(folder, name);
  writeFileSync(path, await bytes);
  return decodeImage(path);
}

function pixels({ data }: Image): number[][] {
  return Array.from({ length: data.length / 4 }, (_, i) => [...data.subarray(4 * i, 4 * i + 4)]);
}

const tooLarge = (path: string, size: string) =>
  `${path} must be at most 67,108,864 pixels, such as 8192x8192 (got "${size}").`;

/** The error for a damaged file, with the decoder's reason. */
const undecodable = (path: string) => ({
  name: "Error",
  message: new RegExp(`^${path} is damaged or truncated, or of a kind that is not supported: [^\\n]+\\.$`),
});

/** A PNG file of one row that declares more. */
async function tall(width: number, height: number): Promise<Buffer> {
  const bytes = await sharp({ create: { width, height: 1, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

const opaque = (color: number[]) => [...color, 255];

describe("decodeImage()", () => {
  it("reads PNG and lossless WebP exactly", async () => {
    for (const image of [
      await decode("rgb.png", rgb().png().toBuffer()),
      await decode("rgb.webp", rgb().webp({ lossless: true }).toBuffer()),
    ]) {
      assert.deepEqual([image.width, image.height], [3, 2]);
      assert.deepEqual(pixels(image), colors.map(opaque));
    }
  });

  it("composites transparency over white", async () => {
    const rgba = Uint8Array.of(255, 0, 0, 255, 0, 0, 0, 0, 0, 100, 200, 51);
    const png = sharp(rgba, { raw: { width: 3, height: 1, channels: 4 } })
      .png()
      .toBuffer();
    const over = (value: number) => Math.round(0.2 * value + 0.8 * 255);
    assert.deepEqual(pixels(await decode("rgba.png", png)), [
      [255, 0, 0, 255],
      [255, 255, 255, 255],
      [over(0), over(100), over(200), 255],
    ]);
  });

  it("applies the EXIF orientation", async () => {
    const turned = await decode("turned.png", rgb().withMetadata({ orientation: 6 }).png().toBuffer());
    assert.deepEqual([turned.width, turned.height], [2, 3]);
    // Orientation 6 means a quarter turn clockwise: the left column becomes the top row.
    const expected = [3, 0, 4, 1, 5, 2].map((i) => opaque(colors[i]));
    assert.deepEqual(pixels(turned), expected);
  });

  it("converts colours with a profile to sRGB, and keeps every value of sRGB", async () => {
    const image = sharp("data/images/coffee.png").resize(48, 32).removeAlpha();
    const original = await decode("plain.png", image.clone().png().toBuffer());
    const levels = ({ data }: Image) =>
      data.reduce((most, value, i) => Math.max(most, Math.abs(value - original.data[i])), 0);
    const p3 = image.clone().withIccProfile("p3");
    const files: [name: string, bytes: Promise<Buffer>, most: number][] = [
      ["srgb.png", image.clone().withIccProfile("srgb").png().toBuffer(), 0],
      ["p3.png", p3.clone().png().toBuffer(), 3],
      ["p3.webp", p3.clone().webp({ lossless: true }).toBuffer(), 3],
      ["wide.png", p3.clone().toColourspace("rgb16").png().toBuffer(), 3],
    ];
    for (const [name, bytes, most] of files) assert.ok(levels(await decode(name, bytes)) <= most, name);
  });

  it("reports errors in a sentence", async () => {
    const path = (name: string) => join(folder, name);
    mkdirSync(path("folder"));
    writeFileSync(path("empty.png"), "");
    writeFileSync(path("text.png"), "no image");
    const noise = Uint8Array.from({ length: 3 * 64 * 64 }, (_, i) => (i * 7919) % 251);
    const large = () => sharp(noise, { raw: { width: 64, height: 64, channels: 3 } });
    const truncated = {
      "cut.png": large().png(),
      "cut.jpg": large().jpeg(),
      "cut.webp": large().webp({ lossless: true }),
    };
    for (const [name, image] of Object.entries(truncated)) {
      const bytes = await image.toBuffer();
      writeFileSync(path(name), bytes.subarray(0, Math.floor(0.6 * bytes.length)));
    }
    // The height and width of a JPEG follow five bytes after its marker FF C0.
    const huge = await large().jpeg().toBuffer();
    const size = huge.indexOf(Buffer.of(0xff, 0xc0)) + 5;
    for (const offset of [size, size + 2]) huge.writeUInt16BE(20_000, offset);
    writeFileSync(path("huge.jpg"), huge);
    const sentences: Record<string, string> = {
      none: `There is no file ${path("none")}.`,
      folder: `${path("folder")} is a folder, not an image.`,
      "empty.png": `${path("empty.png")} is empty.`,
      "text.png": `${path("text.png")} is not an image in a supported format. Use PNG, JPEG or WebP.`,
      "huge.jpg": tooLarge(path("huge.jpg"), "20000x20000"),
    };
    for (const [name, message] of Object.entries(sentences)) await assert.rejects(decodeImage(path(name)), { message });
    for (const name of Object.keys(truncated)) await assert.rejects(decodeImage(path(name)), undecodable(path(name)));
  });
});

describe("decodeImage() of untrusted files", () => {
  const refused = (name: string, bytes: Promise<Buffer> | Buffer, message: string) =>
    assert.rejects(decode(name, Promise.resolve(bytes)), { message: message.replaceAll("NAME", join(folder, name)) });
  const refusedAsDamaged = (name: string, bytes: Buffer) =>
    assert.rejects(decode(name, Promise.resolve(bytes)), undecodable(join(folder, name)));
  const noImage = "NAME is not an image in a supported format. Use PNG, JPEG or WebP.";

  it("rejects an image with too many pixels by its header", async () => {
    await refused("tall.png", tall(8193, 8192), tooLarge("NAME", "8193x8192"));
    await refusedAsDamaged("most.png", await tall(8192, 8192));
    const lossless = await rgb().webp({ lossless: true }).toBuffer();
    // 14 bits for the width minus one, and 14 for the height minus one.
    lossless.writeUInt32LE(((lossless.readUInt32LE(21) >>> 28) << 28) + 15_999 * 2 ** 14 + 15_999, 21);
    const reason = "since WebP is decoded as a whole";
    await refused(
      "large.webp",
      lossless,
      `NAME must be at most 67,108,864 pixels, ${reason} (got "16000x16000"). Convert it to a PNG that is not interlaced.`,
    );
  });

  it("rejects SVG with any name and TIFF before they reach a decoder", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>';
    assert.equal((await sharp(Buffer.from(svg)).metadata()).format, "svg", "sharp would read it");
    for (const name of ["drawn.svg", "drawn.png"]) {
      for (const text of [svg, `<?xml version="1.0"?>\n${svg}`, `\ufeff${svg}`]) {
        await refused(name, Buffer.from(text), noImage);
      }
    }
    await refused("scan.tif", await rgb().tiff().toBuffer(), noImage);
  });

  it("rejects a JPEG with damaged pixels", async () => {
    const noise = Uint8Array.from({ length: 3 * 64 * 64 }, (_, i) => 128 + 100 * Math.sin(i / 40) + ((i * 7919) % 23));
    const large = () => sharp(noise, { raw: { width: 64, height: 64, channels: 3 } });
    const jpeg = await large().jpeg().toBuffer();
    await decode("sound.jpg", Promise.resolve(jpeg));
    jpeg.fill(0xa5, Math.floor(0.5 * jpeg.length), Math.floor(0.9 * jpeg.length));
    await refusedAsDamaged("damaged.jpg", jpeg);
  });

  it("refuses a PNG with many texts that inflate to 8 MB each, not one with a few", async () => {
    const plain = await rgb().png().toBuffer();
    const bomb = pngChunk("zTXt", Buffer.concat([Buffer.from("text\0\0"), deflateSync(Buffer.alloc(7_900_000, "a"))]));
    const text = pngChunk("tEXt", Buffer.from("key\0value"));
    const withChunks = (...chunks: Buffer[]) => Buffer.concat([plain.subarray(0, 33), ...chunks, plain.subarray(33)]);
    const few = withChunks(bomb, ...new Array(100).fill(text));
    assert.deepEqual(pixels(await decode("few.png", Promise.resolve(few))), colors.map(opaque));
    const message = "NAME has more than 16 compressed texts. Save it again without metadata.";
    const bombs = withChunks(...new Array(1000).fill(bomb));
    await refused("bombs.png", bombs.subarray(0, 1_000_000), message);
    await refused("bombs.png", bombs, message);
    const path = join(folder, "bombs.png");
    await assert.rejects(imageSize(path), { message: message.replace("NAME", path) });
  });
});

it("encodePng() is read back by decodeImage()", async () => {
  const image = await decode("again.png", rgb().png().toBuffer());
  assert.deepEqual(await decode("twice.png", encodePng(image) as Promise<Buffer>), image);
});
