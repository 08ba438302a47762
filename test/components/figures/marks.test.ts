import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { adjointOf } from "../../../src/components/learn/gradients/adjoints.js";
import { adjointStages, codeThing } from "../../../src/components/learn/gradients/stageAdjoint.js";
import { takeSample } from "../../../src/components/learn/gradients/stepSample.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import { linesOf, marksIn } from "../../support/marks.js";
import { scene } from "../../support/scenes.js";

const filesBelow = (folder: string, extension: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => extension.test(path));
const sources = new Map(
  [...filesBelow("shaders", /\.wgsl$/), ...filesBelow("src/engine", /\.ts$/)].map((file) => [file, linesOf(file)]),
);
/** Every mark of the sources. */
const marks = new Set([...sources.values()].flatMap((lines) => lines.flatMap(({ marks }) => marks)));
/** The text of the pages and modules that show code. */
const pages = new Map(
  filesBelow("src", /\.(md|ts)$/)
    .filter((file) => !file.startsWith("engine/") && !file.startsWith(".observablehq/"))
    .map((file) => [file, readFileSync(`src/${file}`, "utf8")]),
);
const foundIn = (texts: string[], pattern: RegExp) =>
  texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, it]) => it));
const found = (pattern: RegExp) => foundIn([...pages.values()], pattern);
/** The excerpts that pages show, such as "shared/blend.wgsl#alphaBlend". */
const excerpts = new Set(found(/"([\w/-]+\.(?:wgsl|ts)#[\w.]+)"/g));

/** Returns the marks that pages and modules name, and those composed of a stage and its inputs. */
function namedMarks(): Set<string> {
  const sample = takeSample(scene({ seed: 1 }), uniformGenerator(1))!;
  const inputs = adjointStages.flatMap((stage) =>
    (["original", "white", "black"] as const).flatMap((background) => {
      const adjoint = adjointOf(stage, sample, background);
      return adjoint.inputs.map((_, k) => codeThing(adjoint, k).slice("code:".length));
    }),
  );
  return new Set([...found(/\bcode:(\w[\w.]*)/g), ...inputs]);
}

/** Returns the marks in all excerpts of a language. */
function marksOf(extension: "wgsl" | "ts"): Set<string> {
  return new Set([...excerpts].filter((excerpt) => excerpt.includes(`.${extension}#`)).flatMap(marksIn));
}

describe("the marks in the sources", () => {
  it("include all that pages and modules name, each on a visible line of a kernel", () => {
    const named = namedMarks();
    assert.ok(named.size > 90);
    const shown = marksOf("wgsl");
    assert.deepEqual(
      [...named].filter((mark) => !shown.has(mark)),
      [],
    );
  });

  it("are all used: named, or on lines of two excerpts, which they link", () => {
    const named = namedMarks();
    const links = (mark: string) => [...excerpts].filter((excerpt) => marksIn(excerpt).includes(mark)).length > 1;
    const begins = (mark: string) => [...excerpts].some((excerpt) => excerpt.endsWith(`#${mark}`));
    assert.deepEqual(
      [...marks].filter((mark) => !named.has(mark) && !links(mark) && !begins(mark)),
      [],
    );
  });
});

it("excerpts are named by file and declaration, without quoted lines", () => {
  assert.ok(excerpts.size > 40);
  for (const excerpt of excerpts) assert.doesNotThrow(() => marksIn(excerpt));
  // Exercises have code that is wrong on purpose; exercises.test.ts compares their blanks with the sources.
  const texts = [...pages].filter(([path]) => !path.endsWith("exercises.ts")).map(([, text]) => text);
  const given = foundIn(texts, /\b(?:wgsl|reference): "([^"]*)"/g);
  assert.ok(given.length > 40);
  assert.deepEqual(
    given.filter((excerpt) => !excerpts.has(excerpt)),
    [],
  );
});
