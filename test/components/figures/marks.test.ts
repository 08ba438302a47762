import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { adjointOf } from "../../../src/components/learn/gradients/adjoints.js";
import { adjointStages, codeThing } from "../../../src/components/learn/gradients/stageAdjoint.js";
import { takeSample } from "../../../src/components/learn/gradients/stepSample.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import { marksIn } from "../../support/marks.js";
import { scene } from "../../support/scenes.js";

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

describe("the marks in the sources", () => {
  it("include all that pages and modules name, each on a visible line of a kernel", () => {
    const named = namedMarks();
    assert.ok(named.size > 20);
    const shown = new Set([...excerpts].filter((excerpt) => excerpt.includes(".wgsl#")).flatMap(marksIn));
    assert.deepEqual(
      [...named].filter((mark) => !shown.has(mark)),
      [],
    );
  });
});

it("excerpts are named by an existing file and declaration", () => {
  assert.ok(excerpts.size > 10);
  for (const excerpt of excerpts) assert.doesNotThrow(() => marksIn(excerpt));
});
