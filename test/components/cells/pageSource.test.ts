import assert from "node:assert/strict";
// @ts-expect-error: Framework has no types.
import { createMarkdownIt, parseMarkdown } from "@observablehq/framework/dist/markdown.js";
import temml from "temml";
import { describe, it } from "vitest";
import { writePage } from "../../../src/components/cells/pageFile.js";
import { cellsOf, proseRule } from "../../../src/components/cells/pageSource.js";
import { formulaOptions, mathRule } from "../../../src/components/page/mathRule.js";

const page = `---
title: A page
---

# Title

It is two of \${a + b}.

\`\`\`js echo
const a = 1;
\`\`\`

<div class="slot">

\`\`\`ts
const b: number = a + 1;
\`\`\`

</div>

- A list
- $x$ of two

\`\`\`js run=false
not a cell
\`\`\`

\`\`\`python
neither
\`\`\`

\`\`\`tex
E = mc^2
\`\`\`

- A list
- $x$ of two

\`\`\`\`js
display("\`\`\`");
\`\`\`\`
`;

/** Returns a page as Framework builds it here. */
function built(markdown: string): { body: string; code: { id: string; mode: string }[] } {
  const md = createMarkdownIt();
  mathRule(md, (tex, displayMode) => temml.renderToString(tex, { ...formulaOptions, displayMode }));
  proseRule(md, (source) => String(source.length));
  return parseMarkdown(markdown, { md, path: "/page" });
}

/** Returns the ids of the blocks that Framework finds, prose included, in order. */
function framework(markdown: string): string[] {
  const { body, code } = built(markdown);
  const inline = code.filter(({ mode }) => mode === "inline").map(({ id }) => id);
  return Array.from(body.matchAll(/<!--:(.*?):-->/g), ([, id]) => id).filter((id) => !inline.includes(id));
}

describe("a page's source", () => {
  it("has the cells that Framework finds, in order, and the prose between them", () => {
    const cells = cellsOf(page);
    assert.deepEqual(
      cells.map(({ language, source, echo }) => [language, source, echo]),
      [
        ["md", `# Title\n\nIt is two of \${a + b}.`, false],
        ["js", "const a = 1;", true],
        ["ts", "const b: number = a + 1;", false],
        ["md", "- A list\n- $x$ of two", false],
        ["tex", "E = mc^2", false],
        ["md", "- A list\n- $x$ of two", false],
        ["js", 'display("```");', false],
      ],
    );
    const ids = framework(page);
    assert.equal(cells.length, ids.length);
    assert.deepEqual(
      ids.map((id) => id.startsWith("md-")),
      cells.map(({ language }) => language === "md"),
    );
    assert.equal(new Set(ids).size, ids.length, "equal cells have different ids");
  });

  it("is written with the reader's cells, and unchanged without them", () => {
    const ids = framework(page);
    assert.equal(writePage(page, ids, { edits: {}, added: [] }), page);
    const written = writePage(page, ids, {
      edits: {
        [ids[0]]: "# Another\n\n```js\nforget();\n```",
        [ids[1]]: "const a = 2;\nconst c = 3;",
        [ids[5]]: `No list of \${c}.`,
        [ids[6]]: "display(a);",
      },
      added: [
        { id: "w", after: ids[0], language: "js", source: "early();" },
        { id: "x", after: ids[1], language: "md", source: `Between *them*: \${a}.` },
        { id: "y", after: ids[1], language: "js", source: "/*\n```\n*/" },
        { id: "z", after: ids[6], language: "ts", source: "const d: number = c;" },
      ],
    });
    assert.deepEqual(
      cellsOf(written).map(({ source }) => source),
      [
        "# Another",
        "early();",
        "const a = 2;\nconst c = 3;",
        `Between *them*: \${a}.`,
        "/*\n```\n*/",
        "const b: number = a + 1;",
        "- A list\n- $x$ of two",
        "E = mc^2",
        `No list of \${c}.`,
        "display(a);",
        "const d: number = c;",
      ],
    );
    assert.ok(written.includes("```js echo\nconst a = 2;"), "the fence keeps its attributes");
    assert.ok(written.includes("```js run=false\nforget();"), "code in prose does not run");
    assert.equal(framework(written).length, 11, "Framework finds the same cells");
  });
});
