import assert from "node:assert/strict";
import { transform } from "sucrase";
import { describe, it } from "vitest";
import { toCellError } from "../../../src/components/cells/compile.js";
import type { CellLanguage } from "../../../src/components/cells/pageEdits.js";
import { placesOf } from "../../../src/components/cells/places.js";
import { transpileScript } from "../../../src/components/cells/transpile.js";

const stripTypes = async (source: string) => transform(source, { transforms: ["typescript"] }).code;
const find = (source: string, language: CellLanguage) => placesOf(source, language, stripTypes);

describe("the places of names", () => {
  for (const [language, source, line, column] of [
    ["js", "const a = 1;\nconst b = a + doubld;", 2, 15],
    ["js", "Math.max(\n  doubld)", 2, 3],
    ["ts", "const a: number = 1;\nconst b: number = a + (doubld as number);", 2, 24],
    ["md", `A doubld, \${"doubld"}.\n\nIt is \${[1].map((x) => x + doubld)}.`, 3, 28],
  ] as const) {
    it(`are those in code, not in text or strings: ${language}, line ${line}`, async () => {
      const place = (await find(source, language)).find(({ name }) => name === "doubld");
      assert.deepEqual([place?.line, place?.column], [line, column]);
    });
  }
});

it("the column of an error on the first line counts from the start of the source", () => {
  const source = "undefined.start(1)";
  const { body, indent } = transpileScript(source);
  const column = `export default ${body}`.indexOf("start") + 1;
  const error = Object.assign(new Error("no"), { stack: `Error\n  at splatbook-cell-3.js:1:${column}` });
  const { line, column: shown } = toCellError(error, 3, indent);
  assert.deepEqual([line, shown], [1, source.indexOf("start") + 1]);
});
