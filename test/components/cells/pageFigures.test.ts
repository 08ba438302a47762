import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import slugify from "@sindresorhus/slugify";
import { describe, it } from "vitest";
import { figuresOf } from "../../../src/components/cells/pageFigures.js";
import { helpAnchor, helpTopics } from "../../../src/components/page/help.js";

const read = (path: string) => readFileSync(`src/${path}`, "utf8");
const pages = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".md") && !/^(\.|reports\/|data\/)/.test(path));

const page = `# A page

\`\`\`js
import {figure, facts} from "../figures.js";
import {count} from "../figures.js";
import {overFigure} from "./blending.js";
\`\`\`

## A section

\`\`\`js
const n = view(Inputs.range());
display(Plot.plot({subtitle: \`Losses of \${n}\`}));
\`\`\`

\`\`\`js
const later = () => Plot.plot({subtitle: "Later on"});
\`\`\`

Words.

\`\`\`js
display(figure({title: "One <thing>"}, later(n), facts({count: count(n)})));
\`\`\`

\`\`\`js
display(overFigure(n));
\`\`\`

<figure class="learn-figure">
<figcaption><strong>By hand</strong></figcaption>

\`\`\`js
const held = n;
\`\`\`

\`\`\`js
display(held);
\`\`\`

</figure>

\`\`\`js
display(figure({title: "One <thing>"}));
\`\`\`
`;

describe("the figures of a page", () => {
  it("are found in the sources of cells, each with a unique id and the names that its cell needs", () => {
    const found = figuresOf(page, "learn/page", read).map(({ id, titles, imports, uses }) => ({
      id,
      titles,
      imports,
      uses,
    }));
    const from = "/figures.js";
    assert.deepEqual(found, [
      { id: "figure-losses", titles: ["Losses"], imports: [], uses: [] },
      {
        id: "figure-one-thing",
        titles: ["One <thing>", "Later on"],
        imports: [
          [from, ["figure", "facts"]],
          [from, ["count"]],
        ],
        uses: ["later", "n"],
      },
      {
        id: "figure-front-to-back-and-back-to-front",
        titles: ["Front to back and back to front"],
        imports: [["/learn/blending.js", ["overFigure"]]],
        uses: ["n"],
      },
      { id: "figure-by-hand", titles: ["By hand"], imports: [], uses: ["held"] },
      { id: "figure-one-thing-2", titles: ["One <thing>"], imports: [[from, ["figure"]]], uses: [] },
    ]);
  });

  it("have ASCII ids, and only a few pages have none", () => {
    const counts = pages.map((path) => {
      const figures = figuresOf(read(path), path, read);
      assert.equal(new Set(figures.map(({ id }) => id)).size, figures.length, path);
      // Framework compares the encoded address with the anchor.
      assert.ok(figures.every(({ id, titles }) => /^figure-[a-z\d-]+$/.test(id) && titles.length > 0));
      return [path, figures.length] as const;
    });
    const without = counts.filter(([path, count]) => count === 0 && !path.startsWith("docs/")).map(([path]) => path);
    assert.deepEqual(without.sort(), ["help.md", "learn/index.md"]);
  });
});

describe("the help page", () => {
  it("has a section for each topic of an error, and no other", () => {
    const headings = Array.from(read("help.md").matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    assert.deepEqual(headings, [...helpTopics]);
    assert.deepEqual(
      helpTopics.map(helpAnchor),
      headings.map((heading) => slugify(heading)),
    );
  });
});
