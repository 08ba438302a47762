import assert from "node:assert/strict";
import { transform } from "sucrase";
import { describe, it } from "vitest";
import { transpileCell } from "../../../src/components/cells/transpile.js";

const stripTypes = async (source: string) => transform(source, { transforms: ["typescript"] }).code;

/** Calls a cell's body with values by name. */
async function run(source: string, language: "js" | "ts" | "md", values: Record<string, unknown>): Promise<unknown> {
  const { inputs, body } = await transpileCell(source, language, stripTypes);
  return new Function(`return (${body});`)()(...inputs.map((name) => values[name]));
}

describe("transpileCell()", () => {
  it("takes the names that a cell refers to, and returns those that it declares", async () => {
    const { inputs, outputs } = await transpileCell(
      "const a = b + Math.abs(c);\nfunction f(d) { return d; }",
      "js",
      stripTypes,
    );
    assert.deepEqual(
      [inputs, outputs],
      [
        ["b", "c"],
        ["a", "f"],
      ],
    );
    const { a } = (await run("const a = b + Math.abs(c);", "js", { b: 1, c: -2 })) as { a: number };
    assert.equal(a, 3);
  });

  it("displays the value of a single expression, even a promise", async () => {
    const shown: unknown[] = [];
    await run("later // in a while", "js", {
      later: Promise.resolve(7),
      display: (value: unknown) => shown.push(value),
    });
    assert.deepEqual(shown, [7]);
  });

  it("imports modules through the page, with any kind of import", async () => {
    const source =
      'import d, {x as y, z} from "./m.js";\nimport * as all from "n";\nconst w = [d, y, z, all.k, (await import("o")).p];';
    const modules: Record<string, unknown> = { "./m.js": { default: 1, x: 2, z: 3 }, n: { k: 4 }, o: { p: 5 } };
    const { w } = (await run(source, "js", { importModule: async (name: string) => modules[name] })) as { w: unknown };
    assert.deepEqual(w, [1, 2, 3, 4, 5]);
  });

  it("strips the types of TypeScript and keeps its lines", async () => {
    const source = "interface A {\n  b: number;\n}\nconst a: A = {b: 1 as number};\nconst c = a.b satisfies number;";
    const { body } = await transpileCell(source, "ts", stripTypes);
    assert.match(body.split("\n")[3], /const a *= *\{b: 1/);
    assert.deepEqual(await run(source, "ts", {}), { a: { b: 1 }, c: 1 });
  });

  it("evaluates expressions in Markdown's HTML, but not those in tags and scripts", async () => {
    const source = `<p title="\${a}">\n<b>\${n < 5 ? "<i>" : n}</b><!-- \${b} --></p>\n<script>"\${c}"</script>`;
    let filled: unknown[] = [];
    const fillMarkdown = (...given: unknown[]) => {
      filled = given;
    };
    await run(source, "md", { n: 4, fillMarkdown, display: () => {} });
    const places = source.replace(/\$\{n.*?n\}/, '<span data-value="0"></span>');
    assert.deepEqual(filled, [places, ["<i>"]]);
  });

  it("reports the line and column of an error in an expression of Markdown", async () => {
    const wrong = transpileCell(`One \${1}\n\n\${two three}`, "md", stripTypes);
    await assert.rejects(wrong, { line: 3, column: 7, message: "Unexpected token." });
  });

  for (const [source, language, line, message] of [
    ["const a = 1;\nconst b = ;", "js", 2, /Unexpected token/],
    ["b = 1;", "js", 1, /Assignment to external variable 'b'/],
    ["const a = 1;\n\nexport {a};", "js", 3, /cannot export/],
    ["const document = 1;", "js", 1, /Global 'document' cannot be redefined/],
    ["const a: = 1;", "ts", 1, /Unexpected token/],
  ] as const) {
    it(`reports the error of ${JSON.stringify(source)} at line ${line}`, async () => {
      await assert.rejects(transpileCell(source, language, stripTypes), (error: Error & { line?: number }) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\(\d+:\d+\)/);
        assert.equal(error.line, line);
        return true;
      });
    });
  }
});
