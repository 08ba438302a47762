import assert from "node:assert/strict";
import sharp from "sharp";
import { describe, it } from "vitest";
import { type ImageFormat, imageHeader } from "../../src/host/imageHeader.js";

const flat = (width = 37, height = 21) => sharp({ create: { width, height, channels: 4, background: "#12345678" } });
const size = { width: 37, height: 21 };

/** A BMP header with the size in the old 16-bit fields or in the new ones. A negative height means top to bottom. */
function bmp(isOld: boolean): Uint8Array {
  const bytes = new Uint8Array(40);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode("BM"));
  view.setUint32(14, isOld ? 12 : 40, true);
  if (isOld) view.setUint16(20, 21, true);
  else view.setInt32(22, -21, true);
  view.setUint16(18, 37, true);
  return bytes;
}

describe("imageHeader()", () => {
  it("returns the format and size of images by sharp", async () => {
    const camera = { exif: { IFD0: { Copyright: "x".repeat(50_000) } } };
    const files: [ImageFormat, Promise<Buffer>][] = [
      ["png", flat().png().toBuffer()],
      ["jpeg", flat().jpeg().toBuffer()],
      ["jpeg", flat().jpeg({ progressive: true }).withMetadata(camera).toBuffer()],
      ["webp", flat().removeAlpha().webp().toBuffer()],
      ["webp", flat().webp().toBuffer()],
      ["webp", flat().webp({ lossless: true }).toBuffer()],
      ["gif", flat().gif().toBuffer()],
      ["avif", flat().avif({ effort: 0 }).toBuffer()],
    ];
    for (const [format, bytes] of files) assert.deepEqual(imageHeader(await bytes), { format, size });
    assert.deepEqual(imageHeader(await flat().tiff().toBuffer()), { format: "tiff" });
  });

  it("returns a BMP's size from either header", () => {
    for (const isOld of [true, false]) assert.deepEqual(imageHeader(bmp(isOld)), { format: "bmp", size });
  });

  it("returns a format without a size for a truncated header, and undefined for other files", async () => {
    for (const file of [flat().png(), flat().jpeg(), flat().webp(), flat().gif(), flat().avif({ effort: 0 })]) {
      const bytes = await file.toBuffer();
      const whole = imageHeader(bytes)!;
      for (let length = 16; length < Math.min(bytes.length, 400); length++) {
        const { format, size: found = size } = imageHeader(bytes.subarray(0, length))!;
        assert.deepEqual({ format, size: found }, whole);
      }
    }
    const heic = Uint8Array.from([0, 0, 0, 20, ...new TextEncoder().encode("ftypheic\0\0\0\0heic")]);
    assert.deepEqual(imageHeader(heic), { format: "heic" });
    for (const bytes of [new Uint8Array(), Uint8Array.of(0x89), new TextEncoder().encode("<svg/>")]) {
      assert.equal(imageHeader(bytes), undefined);
    }
  });
});
