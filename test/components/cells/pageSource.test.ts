import assert from "node:assert/strict";
// @ts-expect-error: Framework has no types.
import { createMarkdownIt, parseMarkdown } from "@observablehq/framework/dist/markdown.js";
import { describe, it } from "vitest";
import { cellsOf, writePage } from "../../../src/components/cells/pageSource.js";

const page = `---
title: A page
---

# Title

\`\`\`js echo
const a = 1;
\`\`\`

<div class="slot">

\`\`\`ts
const b: number = a + 1;
\`\`\`

</div>

\`\`\`js run=false
not a cell
\`\`\`

\`\`\`python
neither
\`\`\`

\`\`\`tex
E = mc^2
\`\`\`

\`\`\`\`js
display("\`\`\`");
\`\`\`\`
`;

/** The ids of the block cells that Framework itself finds. */
function framework(markdown: string): string[] {
  const options = { md: createMarkdownIt(), path: "/page" };
  const { code }: { code: { id: string; mode: string }[] } = parseMarkdown(markdown, options);
  return code.filter(({ mode }) => mode === "block").map(({ id }) => id);
}

describe("a page's source", () => {
  it("has the cells that Framework finds in it, in their order", () => {
    const cells = cellsOf(page);
    assert.deepEqual(
      cells.map(({ language, echo }) => [language, echo]),
      [
        ["js", true],
        ["ts", false],
        ["tex", false],
        ["js", false],
      ],
    );
    assert.equal(cells.length, framework(page).length);
    assert.deepEqual([cells[0].source, cells[3].source], ["const a = 1;", 'display("```");']);
  });

  it("is written with the reader's cells, and as it was without them", () => {
    const ids = framework(page);
    assert.equal(writePage(page, ids, { edits: {}, added: [] }), page);
    const written = writePage(page, ids, {
      edits: { [ids[0]]: "const a = 2;\nconst c = 3;", [ids[3]]: "display(a);" },
      added: [
        { id: "x", after: ids[0], language: "md", source: `Between *them*: \${a}.` },
        { id: "y", after: ids[0], language: "js", source: "/*\n```\n*/" },
        { id: "z", after: ids[3], language: "ts", source: "const d: number = c;" },
      ],
    });
    assert.deepEqual(
      cellsOf(written).map(({ source }) => source),
      [
        "const a = 2;\nconst c = 3;",
        "/*\n```\n*/",
        "const b: number = a + 1;",
        "E = mc^2",
        "display(a);",
        "const d: number = c;",
      ],
    );
    assert.ok(written.includes("```js echo\nconst a = 2;"), "the fence keeps what it said");
    assert.equal(framework(written).length, 6, "Framework reads the same cells");
    assert.match(written, /^Between \*them\*: \$\{a\}\.$/m);
  });

  it("keeps code that is only to be read from running, and an edited cell's fences apart", () => {
    const ids = framework(page);
    const template = "/*\n```js\nb\n```\n*/\nconst a = 2;";
    const written = writePage(page, ids, {
      edits: { [ids[0]]: template },
      added: [
        { id: "x", after: ids[0], language: "md", source: "1. Read:\n   ```js\n   forget();\n   ```\n\n```wgsl\n```" },
      ],
    });
    assert.deepEqual([framework(written).length, cellsOf(written)[0].source], [ids.length, template]);
    assert.ok(written.includes("````js echo\n"));
  });
});
