import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, it } from "vitest";
import type { Image } from "../../../../src/engine/image/image.js";
import { decodeImageBytes } from "../../../../src/host/node/imageFile.js";
import { openBrowser } from "../../../support/pages.js";

/** Globals of the page from the bundle. */
declare const bitmaps: typeof import("../../../../src/host/browser/decodeBitmap.js");

let page: Page;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ["src/host/browser/decodeBitmap.ts"],
    bundle: true,
    format: "iife",
    globalName: "bitmaps",
    // In an evaluated script, a var would not become global.
    footer: { js: "globalThis.bitmaps = bitmaps;" },
    write: false,
  });
  page = await (await openBrowser()).newPage();
  await page.evaluate(outputFiles[0].text);
});

/** Decodes an image in the page. Returns its values, or the error. */
async function decodeInPage(bytes: Buffer, name: string): Promise<number[] | string> {
  return page.evaluate(
    async ([base64, name]) => {
      const blob = await (await fetch(`data:;base64,${base64}`)).blob();
      return bitmaps.decodeBitmap(blob, name).then(
        ({ data }) => [...data],
        ({ message }) => message,
      );
    },
    [bytes.toString("base64"), name],
  );
}

const valuesOf = ({ data }: Image) => [...data];

it("decodeBitmap() returns the same values as Node, with any profile", async () => {
  const small = sharp("data/images/coffee.png").resize(30, 20).removeAlpha();
  const files = {
    "Display P3, PNG": await small.clone().withIccProfile("p3").png().toBuffer(),
    "Display P3, WebP": await small.clone().withIccProfile("p3").webp({ lossless: true }).toBuffer(),
    "sRGB, PNG": await small.clone().withIccProfile("srgb").png().toBuffer(),
    "no profile, PNG": await small.clone().png().toBuffer(),
  };
  for (const [what, bytes] of Object.entries(files))
    assert.deepEqual(await decodeInPage(bytes, what), valuesOf(await decodeImageBytes(bytes, what)), what);
});

/** What src/docs/files.md.ts documents. */
const [readInPageOnly, otherColours] = ["alpha-limited.avif", "table-profile.png"];
/** The most levels by which decoders differ: one for rounding, more where they interpolate the chroma of an AVIF. */
const levels: Record<string, number> = { "colour-limited.avif": 1, "animated.avif": 9 };

it("decodeBitmap() reads every file of cases/ as Node or as documented, and no TIFF", async () => {
  const cases = "test/host/node/cases";
  for (const name of readdirSync(cases)) {
    const bytes = readFileSync(join(cases, name));
    const inPage = await decodeInPage(bytes, name);
    const inNode = await decodeImageBytes(bytes, name).then(valuesOf, ({ message }) => message as string);
    if (name.endsWith(".tif") || typeof inNode === "string" || typeof inPage === "string") {
      assert.deepEqual([typeof inPage, name], [name === readInPageOnly ? "object" : "string", name]);
      assert.ok(name.endsWith(".tif") || typeof inNode === "string", name);
    } else if (name !== otherColours) {
      assert.equal(inPage.length, inNode.length, name);
      const furthest = inPage.reduce((most, value, i) => Math.max(most, Math.abs(value - inNode[i])), 0);
      assert.ok(furthest <= (levels[name] ?? 0), `${name}: ${furthest} levels`);
    }
  }
});
