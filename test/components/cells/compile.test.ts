import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { compile, transpile } from "../../../src/components/cells/compile.js";

/** Returns the address of a module with a text. */
const addressOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;

const cellOf = (source: string) => transpile(source, async (specifier) => addressOf(specifier));

/** Calls a cell with values by name. */
async function run(source: string, values: Record<string, unknown>): Promise<unknown> {
  const { module } = await cellOf(source);
  return (await import(/* @vite-ignore */ addressOf(module))).default(values);
}

describe("transpile()", () => {
  it("takes the names that a cell refers to, and returns those that it declares", async () => {
    const { inputs, outputs } = await cellOf("const a = b + Math.abs(c);\nfunction f(d) { return d; }");
    assert.deepEqual(inputs, ["b", "c"]);
    assert.deepEqual(outputs, ["a", "f"]);
    const { a } = (await run("const a = b + Math.abs(c);", { b: 1, c: -2 })) as { a: unknown };
    assert.equal(a, 3);
  });

  for (const source of ["later // in a while", "(later)", "(later, later)"]) {
    it(`displays the value of a single expression, even a promise: ${source}`, async () => {
      const shown: unknown[] = [];
      await run(source, { later: Promise.resolve(7), display: (value: unknown) => shown.push(value) });
      assert.deepEqual(shown, [7]);
    });
  }

  for (const source of ["later;", "(later); (later)", "function f() {}"]) {
    it(`displays nothing for statements: ${source}`, async () => {
      assert.ok(!(await cellOf(source)).inputs.includes("display"));
    });
  }

  it("awaits in loops, and imports modules from their addresses, with any kind of import", async () => {
    const modules = ["export default 1; export const x = 2, z = 3;", "export const k = 4;"].map((text) =>
      JSON.stringify(text),
    );
    const source = `import d, {x as y,\n  z} from ${modules[0]};\nimport * as all from ${modules[1]};\nconst w = [];\nfor (const v of [d, y, z, all.k]) w.push(await v);`;
    assert.deepEqual(((await run(source, {})) as { w: unknown }).w, [1, 2, 3, 4]);
    assert.equal((await cellOf(source)).module.split("\n").length, source.split("\n").length + 2);
  });

  it("knows the places of names in code, but not in text", async () => {
    for (const [source, line, column] of [
      ["const a = 1;\nconst b = a + doubld;", 2, 15],
      ['Math.max("doubld",\n  doubld)', 2, 3],
    ] as const) {
      const error = (await cellOf(source)).errorOf("doubld", "No.");
      assert.deepEqual([error.line, error.column], [line, column]);
    }
  });

  for (const [source, line, column, message] of [
    ["const a = 1;\nconst b = ;", 2, 11, "Unexpected token."],
    ["b = 1;", 1, 1, "Assignment to external variable 'b'."],
    ["const document = 1;", 1, 7, "Global 'document' cannot be redefined."],
  ] as const) {
    it(`reports the error of ${JSON.stringify(source)} at line ${line}`, async () => {
      await assert.rejects(cellOf(source), { message, line, column });
    });
  }
});

describe("compile()", () => {
  // Node imports no blob: addresses.
  beforeAll(() => {
    vi.stubGlobal("Blob", function (this: { text: string }, [text]: [string]) {
      this.text = text;
    });
    const addressOf = ({ text }: { text: string }) => `data:text/javascript,${encodeURIComponent(text)}`;
    vi.spyOn(URL, "createObjectURL").mockImplementation(addressOf as never);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("gives an error of a running cell its place in the source", async () => {
    for (const [source, line, column] of [
      ["const one = 1;\n\nconst run = nothing.start(one);", 3, 21],
      ["const run = nothing.start();", 1, 21],
    ] as const) {
      const cell = await compile(source);
      const call = async () => cell.call({});
      const error = await call().then(() => assert.fail(), cell.explain);
      const message = "TypeError: Cannot read properties of undefined (reading 'start').";
      assert.deepEqual([error.message, error.line, error.column], [message, line, column]);
    }
  });
});
