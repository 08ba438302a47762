import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { transpile } from "../../../src/components/cells/transpile.js";

/** Calls a cell's body with values by name. */
async function run(source: string, values: Record<string, unknown>): Promise<unknown> {
  const { inputs, body } = transpile(source);
  return new Function(`return (${body});`)()(...inputs.map((name) => values[name]));
}

describe("transpile()", () => {
  it("takes the names that a cell refers to, and returns those that it declares", async () => {
    const { inputs, outputs } = transpile("const a = b + Math.abs(c);\nfunction f(d) { return d; }");
    assert.deepEqual(inputs, ["b", "c"]);
    assert.deepEqual(outputs, ["a", "f"]);
    assert.deepEqual(await run("const a = b + Math.abs(c);", { b: 1, c: -2 }), { a: 3 });
  });

  it("displays the value of a single expression, even a promise", async () => {
    const shown: unknown[] = [];
    await run("later // in a while", { later: Promise.resolve(7), display: (value: unknown) => shown.push(value) });
    assert.deepEqual(shown, [7]);
  });

  it("awaits in loops, and imports modules through the page, with any kind of import", async () => {
    const source =
      'import d, {x as y, z} from "./m.js";\nimport * as all from "n";\nconst w = [];\nfor (const v of [d, y, z, all.k]) w.push(await v);';
    const modules: Record<string, unknown> = { "./m.js": { default: 1, x: 2, z: 3 }, n: { k: 4 } };
    const { w } = (await run(source, { importModule: async (name: string) => modules[name] })) as { w: unknown };
    assert.deepEqual(w, [1, 2, 3, 4]);
  });

  it("knows the places of names in code, but not in text", () => {
    for (const [source, line, column] of [
      ["const a = 1;\nconst b = a + doubld;", 2, 15],
      ['Math.max("doubld",\n  doubld)', 2, 3],
    ] as const) {
      const error = transpile(source).errorAt("doubld", "No.");
      assert.deepEqual([error.line, error.column], [line, column]);
    }
  });

  for (const [source, line, column, message] of [
    ["const a = 1;\nconst b = ;", 2, 11, "Unexpected token."],
    ["b = 1;", 1, 1, "Assignment to external variable 'b'."],
    ["const a = 1;\n\nexport {a};", 3, undefined, "A cell cannot export: other cells can use what it declares."],
    ["const document = 1;", 1, 7, "Global 'document' cannot be redefined."],
  ] as const) {
    it(`reports the error of ${JSON.stringify(source)} at line ${line}`, () => {
      assert.throws(() => transpile(source), { message, line, column });
    });
  }
});
