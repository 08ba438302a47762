import assert from "node:assert/strict";
import sharp from "sharp";
import { describe, it } from "vitest";
import { formatOf, type ImageFormat, sizeInHeader } from "../../src/host/imageHeader.js";

const size = { width: 37, height: 21 };
const flat = () => sharp({ create: { ...size, channels: 4, background: "#12345678" } });

describe("formatOf() and sizeInHeader()", () => {
  it("return the format of images by sharp, and the size of PNG and JPEG", async () => {
    const camera = { exif: { IFD0: { Copyright: "x".repeat(50_000) } } };
    const files: [ImageFormat, Promise<Buffer>][] = [
      ["png", flat().png().toBuffer()],
      ["jpeg", flat().jpeg().toBuffer()],
      ["jpeg", flat().jpeg({ progressive: true }).withMetadata(camera).toBuffer()],
      ["webp", flat().webp().toBuffer()],
    ];
    for (const [format, file] of files) {
      const bytes = await file;
      const hasSize = format === "png" || format === "jpeg";
      assert.deepEqual([formatOf(bytes), sizeInHeader(bytes)], [format, hasSize ? size : undefined]);
    }
  });

  it("return no size of a truncated header, and nothing for other files", async () => {
    for (const file of [flat().png(), flat().jpeg(), flat().webp()]) {
      const bytes = await file.toBuffer();
      for (let length = 16; length < Math.min(bytes.length, 400); length++) {
        const cut = bytes.subarray(0, length);
        assert.equal(formatOf(cut), formatOf(bytes));
        const found = sizeInHeader(cut);
        if (found) assert.deepEqual(found, size);
      }
    }
    for (const bytes of [new Uint8Array(), Uint8Array.of(0x89), new TextEncoder().encode("<svg/>")]) {
      assert.deepEqual([formatOf(bytes), sizeInHeader(bytes)], [undefined, undefined]);
    }
  });
});
