import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
import { describe, it } from "vitest";
import type { PageEdits } from "../../../src/components/cells/pageEdits.js";
import { editedCells, editsOfFile, writeJupyter, writeNotebookKit } from "../../../src/components/cells/pageFormats.js";
import { cellsOf, writePage } from "../../../src/components/cells/pageSource.js";
import { completeConfig } from "../../../src/engine/config.js";

const markdown = readFileSync("src/index.md", "utf8");
const own = cellsOf(markdown);
const ids = own.map((_, i) => `cell-${i}`);
const [changed, other] = own.flatMap(({ language }, i) => (language === "js" ? [ids[i]] : [])).slice(4);
const prose = ids[own.findLastIndex(({ language }) => language === "md")];
const edits: PageEdits = {
  edits: {
    [changed]: "const text = `</script> <\\/script> <\\\\/SCRIPT >`;\n\n  `\n    of four lines`",
    [other]: "display(1 < 2);",
    [prose]: "## Of *mine*\n\n```js\nforget();\n```",
  },
  added: [
    { id: "added-a", after: changed, language: "js", source: "first();" },
    { id: "added-b", after: changed, language: "ts", source: "const b: number = 1;" },
    { id: "added-c", after: prose, language: "md", source: `Last & <b>least</b>, $x$ and \${b}.` },
  ],
};
const page = { title: "One & two", cells: editedCells(markdown, ids, edits) };

/** Returns edits without the ids of added cells. */
const withoutIds = ({ edits, added }: PageEdits) => [edits, added.map(({ id: _, ...cell }) => cell)];

describe("a page as a notebook of Notebook Kit", () => {
  const text = writeNotebookKit(page, ids);

  it("has a script for each cell, which a parser of HTML finds with its type, number and source", () => {
    const { document } = new JSDOM(text).window;
    assert.equal(document.querySelector("notebook > title")!.textContent, "One & two");
    const scripts = [...document.querySelectorAll<HTMLScriptElement>("notebook > script")];
    assert.equal(document.body.children.length, 1);
    const types = { js: "module", ts: "text/x-typescript", sql: "application/sql", md: "text/markdown" } as Record<
      string,
      string
    >;
    assert.deepEqual(
      scripts.map(({ type }) => type),
      page.cells.map(({ language }) => types[language]),
    );
    assert.deepEqual(
      scripts.map((script) => script.hasAttribute("pinned")),
      page.cells.map(({ echo = false }) => echo),
    );
    const numbers = scripts.map(({ id }) => Number(id));
    assert.equal(new Set(numbers).size, page.cells.length);
    assert.ok(numbers.every((number) => Number.isInteger(number) && number > 0));
    const script = scripts[page.cells.findIndex(({ id }) => id === changed)];
    assert.match(script.textContent!, /^\n {4}const text = `<\\\/script> <\\\\\/script> <\\\\\\\/SCRIPT >`;\n\n {6}`/);
  });

  it("opens with the same edits", () => {
    assert.deepEqual(withoutIds(editsOfFile("index.html", text, markdown, ids)), withoutIds(edits));
  });
});

describe("a page as a Jupyter notebook", () => {
  const config = completeConfig({ preset: "quality", blobs: 77, learningRate: 0.02, tile: [4, 8], pipeline: "tiled" });
  const image = { width: 96, height: 64, data: new Uint8ClampedArray() };
  const text = writeJupyter(page, { config, target: { image, original: image, name: "mine.png" }, file: "mine.png" });

  it("has the form of nbformat 4.5 and the kernel of Deno", () => {
    const { cells, metadata, nbformat, nbformat_minor } = JSON.parse(text);
    assert.deepEqual([nbformat, nbformat_minor], [4, 5]);
    assert.deepEqual(metadata.kernelspec, { name: "deno", display_name: "Deno", language: "typescript" });
    const required = ["cell_type", "id", "metadata", "source"];
    for (const cell of cells) {
      const isCode = cell.cell_type === "code";
      assert.deepEqual(
        Object.keys(cell).sort(),
        [...required, ...(isCode ? ["execution_count", "outputs"] : [])].sort(),
      );
      assert.match(cell.id, /^[a-zA-Z0-9-_]{1,64}$/);
      assert.ok(cell.source.every((line: string, i: number) => line.endsWith("\n") === i < cell.source.length - 1));
    }
    const kinds = page.cells.map(({ id, language }) => {
      if (language === "md") return "markdown";
      return ["added-a", "added-b"].includes(id!) ? "code" : "raw";
    });
    assert.deepEqual(
      cells.map(({ cell_type }: { cell_type: string }) => cell_type),
      ["code", ...kinds],
    );
  });

  it("starts with a cell that trains on the page's image with its settings, if the page has a run", () => {
    const source: string = JSON.parse(text).cells[0].source.join("");
    assert.match(source, /sharp\("mine\.png"\).*\.resize\(96, 64,/s);
    const [, settings] = /\.\.\.(\{.*?\n\}) \}\);/s.exec(source)!;
    assert.deepEqual(completeConfig({ ...JSON.parse(settings), pipeline: "tiled" }), config);
    assert.ok(!settings.includes("steps"), "defaults of the preset are left out");
    assert.equal(JSON.parse(writeJupyter(page)).cells.length, page.cells.length);
  });

  it("contains the reader's cells that need a page as text", () => {
    const kindOf = (source: string) =>
      JSON.parse(writeJupyter({ title: "", cells: [{ id: "added-x", language: "js", source }] })).cells[0].cell_type;
    for (const source of ["view(Inputs.range())", "html`<b>`", 'import { a } from "./lab.js";', "document.title"]) {
      assert.equal(kindOf(source), "raw", source);
    }
    for (const source of ["Plot.dot(parameters)", 'import { a } from "apache-arrow";', "display(overview)"]) {
      assert.equal(kindOf(source), "code", source);
    }
  });

  it("opens with the same edits, and with the cells of other notebooks", () => {
    assert.deepEqual(withoutIds(editsOfFile("index.ipynb", text, markdown, ids)), withoutIds(edits));
    const foreign = {
      cells: [
        { cell_type: "code", source: "let a;\n" },
        { cell_type: "markdown", source: ["b\n", "c"] },
      ],
    };
    const { added } = editsOfFile("a.ipynb", JSON.stringify(foreign), "```js\nfirst\n```", ["one"]);
    assert.deepEqual(
      added.map(({ after, language, source }) => [after, language, source]),
      [
        ["one", "ts", "let a;\n"],
        ["one", "md", "b\nc"],
      ],
    );
  });
});

describe("a page's Markdown", () => {
  it("opens as the page that was written", () => {
    // A listing is no cell of Markdown.
    const inMarkdown = { ...edits, edits: { ...edits.edits, [prose]: "## Of *mine*\n\nText." } };
    const written = writePage(markdown, ids, inMarkdown);
    const opened = editsOfFile("index.md", written, markdown, ids);
    assert.equal(writePage(markdown, ids, opened), written);
    assert.deepEqual(opened.edits[changed], edits.edits[changed]);
    assert.deepEqual(editsOfFile("index.md", markdown, markdown, ids), { edits: {}, added: [] });
    const another = editsOfFile("other.md", "# Other\n\n```js\nhello\n```", markdown, ids);
    assert.deepEqual(another.edits, {}, "the cells of another page are new");
    assert.deepEqual(
      another.added.map(({ after }) => after),
      [ids.at(-1), ids.at(-1)],
    );
  });
});

it("editsOfFile() rejects other files by name, and edits that are too large", () => {
  const form = "it must be Markdown, a notebook of Notebook Kit, or a Jupyter notebook.";
  for (const [name, text] of [
    ["a.ipynb", "{"],
    ["b.ipynb", "{}"],
    ["c.html", "<p>"],
    ["d.md", ""],
  ]) {
    assert.throws(() => editsOfFile(name, text, markdown, ids), { message: `${name} is not a page: ${form}` });
  }
  const large = `${markdown}\n\`\`\`js\n${"1;".repeat(60_000)}\n\`\`\`\n`;
  assert.throws(() => editsOfFile("e.md", large, markdown, ids), /at most 100,000 characters \(got 119,999\)|at most/);
});
