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

/** Returns the most levels by which the values of a page and of Node differ. */
const levelsBetween = (inPage: number[] | string, inNode: number[]) => {
  assert.equal(inPage.length, inNode.length);
  return (inPage as number[]).reduce((most, value, i) => Math.max(most, Math.abs(value - inNode[i])), 0);
};

it("decodeBitmap() returns the same values as Node, or with a profile, values next to them", async () => {
  const small = sharp("data/images/coffee.png").resize(30, 20).removeAlpha();
  const files: [what: string, bytes: Buffer, most: number][] = [
    ["Display P3, PNG", await small.clone().withIccProfile("p3").png().toBuffer(), 1],
    ["Display P3, WebP", await small.clone().withIccProfile("p3").webp({ lossless: true }).toBuffer(), 1],
    ["sRGB, PNG", await small.clone().withIccProfile("srgb").png().toBuffer(), 0],
    ["no profile, PNG", await small.clone().png().toBuffer(), 0],
  ];
  for (const [what, bytes, most] of files) {
    const levels = levelsBetween(await decodeInPage(bytes, what), valuesOf(await decodeImageBytes(bytes, what)));
    assert.ok(levels <= most, `${what}: ${levels} levels`);
  }
});

/** What src/docs/files.md.ts documents. */
const convertedInNode = "table-profile.png";

it("decodeBitmap() reads every file of cases/ as Node or as documented", async () => {
  const cases = "test/host/node/cases";
  for (const name of readdirSync(cases)) {
    const bytes = readFileSync(join(cases, name));
    const inPage = await decodeInPage(bytes, name);
    const inNode = await decodeImageBytes(bytes, name).then(valuesOf, ({ message }) => message as string);
    if (typeof inNode === "string") assert.equal(typeof inPage, "string", name);
    else if (name !== convertedInNode) assert.ok(levelsBetween(inPage, inNode) <= 1, name);
  }
});
