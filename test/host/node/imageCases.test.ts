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

/** The first, middle and last pixel of each file, or its error. */
const expected: Record<string, string> = {
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

describe("decodeImage()", () => {
  it("covers every file of cases/", () => assert.deepEqual(Object.keys(expected).sort(), readdirSync(cases).sort()));

  for (const [name, summary] of Object.entries(expected)) {
    it(`${name}: ${summary}`, async () => {
      const path = join(cases, name);
      assert.equal(await summaryOf(path, decodeImage(path)), summary);
      assert.equal(await summaryOf(path, decodeStaged(path)), summary, "on the disk");
    });
  }

  it("refuses a JPEG with a harmless warning that is truncated", async () => {
    for (const name of ["sos-se0.jpg", "junk-before-dqt.jpg"]) {
      const cut = readFileSync(join(cases, name)).subarray(0, 720);
      assert.equal(await summaryOf("it", decodeImageBytes(cut, "it")), damaged("premature end of JPEG image"), name);
    }
  });
});
