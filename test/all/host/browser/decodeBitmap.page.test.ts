import assert from "node:assert/strict";
import { build } from "esbuild";
import sharp from "sharp";
import { it } from "vitest";
import { decodeImageBytes } from "../../../../src/host/node/imageFile.js";
import { openBrowser } from "../../../support/pages.js";

/** Globals of the page from the bundle. */
declare const bitmaps: typeof import("../../../../src/host/browser/decodeBitmap.js");

it("decodeBitmap() returns the same values as Node, with any profile", async () => {
  const small = sharp("data/images/coffee.png").resize(30, 20).removeAlpha();
  const files = {
    "Display P3, PNG": await small.clone().withIccProfile("p3").png().toBuffer(),
    "Display P3, WebP": await small.clone().withIccProfile("p3").webp({ lossless: true }).toBuffer(),
    "sRGB, PNG": await small.clone().withIccProfile("srgb").png().toBuffer(),
    "no profile, PNG": await small.clone().png().toBuffer(),
  };
  const { outputFiles } = await build({
    entryPoints: ["src/host/browser/decodeBitmap.ts"],
    bundle: true,
    format: "iife",
    globalName: "bitmaps",
    // In an evaluated script, a var would not become global.
    footer: { js: "globalThis.bitmaps = bitmaps;" },
    write: false,
  });
  const page = await (await openBrowser()).newPage();
  await page.evaluate(outputFiles[0].text);
  for (const [what, bytes] of Object.entries(files)) {
    const data = await page.evaluate(async (base64) => {
      const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
      return [...(await bitmaps.decodeBitmap(blob)).data];
    }, bytes.toString("base64"));
    assert.deepEqual(data, [...(await decodeImageBytes(bytes, what)).data], what);
  }
  await page.close();
});
