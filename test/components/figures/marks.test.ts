import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { marksIn } from "../../support/marks.js";

const filesBelow = (folder: string, extension: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => extension.test(path));
/** The text of the pages and modules that show code. */
const pages = new Map(
  filesBelow("src", /\.(md|ts)$/)
    .filter((file) => !file.startsWith("engine/") && !file.startsWith(".observablehq/"))
    .map((file) => [file, readFileSync(`src/${file}`, "utf8")]),
);
const found = (pattern: RegExp) =>
  [...pages.values()].flatMap((text) => Array.from(text.matchAll(pattern), ([, it]) => it));
/** The excerpts that pages show, such as "shared/blend.wgsl#alphaBlend". */
const excerpts = new Set(found(/"([\w/-]+\.(?:wgsl|ts)#[\w.]+)"/g));

describe("the marks in the sources", () => {
  it("include all that pages and modules name, each on a visible line of a kernel", () => {
    const named = new Set(found(/\bcode:([\w.]*\w)(?![\w.])/g));
    assert.ok(named.size > 3);
    const shown = new Set([...excerpts].filter((excerpt) => excerpt.includes(".wgsl#")).flatMap(marksIn));
    assert.deepEqual(
      [...named].filter((mark) => !shown.has(mark)),
      [],
    );
  });
});

it("excerpts are named by an existing file and declaration", () => {
  assert.ok(excerpts.size >= 10);
  for (const excerpt of excerpts) assert.doesNotThrow(() => marksIn(excerpt));
});
