import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "vitest";
import type { PageEdits } from "../../../src/components/cells/pageEdits.js";
import { editsOfFile, writePage } from "../../../src/components/cells/pageFile.js";
import { cellsOf } from "../../../src/components/cells/pageSource.js";

const markdown = readFileSync("src/index.md", "utf8");
const own = cellsOf(markdown);
const ids = own.map((_, i) => `cell-${i}`);
// Two cells with nothing between them.
const [changed, other] = ids.slice(own.findIndex(({ source }) => source.startsWith("const runs = ")));
const prose = ids[own.findLastIndex(({ language }) => language === "md")];
const edits: PageEdits = {
  edits: {
    [changed]: "const text = `\n    of four lines`",
    [other]: "display(1 < 2);",
    [prose]: "## Of *mine*\n\nText.",
  },
  added: [
    { id: "added-a", after: changed, language: "js", source: "first();" },
    { id: "added-b", after: changed, language: "ts", source: "const b: number = 1;" },
    { id: "added-c", after: prose, language: "md", source: `Last & <b>least</b>, $x$ and \${b}.` },
  ],
};

it("a downloaded page opens with the same edits, and another page as new cells", () => {
  const written = writePage(markdown, ids, edits);
  const opened = editsOfFile("index.md", written, markdown, ids);
  assert.equal(writePage(markdown, ids, opened), written);
  assert.deepEqual(opened.edits[changed], edits.edits[changed]);
  assert.deepEqual(editsOfFile("index.md", markdown, markdown, ids), { edits: {}, added: [] });
  const another = editsOfFile("other.md", "# Other\n\n```js\nhello\n```", markdown, ids);
  assert.deepEqual(another.edits, {});
  assert.deepEqual(
    another.added.map(({ after }) => after),
    [ids.at(-1), ids.at(-1)],
  );
});

it("editsOfFile() rejects other files by name, cells in SQL, and edits that are too large", () => {
  for (const name of ["a.ipynb", "b.html", "c.zip"]) {
    const message = `${name} is not a page: it must be a Markdown file (.md) with cells.`;
    assert.throws(() => editsOfFile(name, markdown, markdown, ids), { message });
  }
  assert.throws(() => editsOfFile("d.md", "", markdown, ids), /^Error: d\.md is not a page/);
  assert.throws(() => editsOfFile("e.md", `${markdown}\n\`\`\`sql\nSELECT 1\n\`\`\`\n`, markdown, ids), {
    message: "e.md has a cell in SQL, which pages do not run: write it in JavaScript.",
  });
  const large = `${markdown}\n\`\`\`js\n${"1;".repeat(60_000)}\n\`\`\`\n`;
  assert.throws(() => editsOfFile("f.md", large, markdown, ids), /at most 100,000 characters \(got 119,999\)|at most/);
});
