import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";
import { describe, it } from "vitest";
import { cardsRule, frontMatterOf } from "../../../src/components/page/pageCards.js";
import { chapters, pages, parts } from "../../../src/components/page/pages.js";

const read = (path: string) => readFileSync(`src/${path}`, "utf8");

describe("the list of chapters", () => {
  it("names each page in src/learn/ once, each with its module", () => {
    const files = readdirSync("src/learn").filter((file) => file.endsWith(".md") && file !== "index.md");
    const paths = chapters.map(([path]) => path);
    assert.deepEqual(paths.toSorted(), files.map((file) => `learn/${file.replace(".md", "")}`).toSorted());
    for (const path of paths) {
      assert.ok(existsSync(`src/${path}.ts`), path);
    }
  });

  it("links to pages with unique titles and descriptions", () => {
    const all = [...pages, ...chapters].map(([path]) => frontMatterOf(read(`${path}.md`)));
    for (const { title, description } of all) assert.ok(title && description, title);
    for (const key of ["title", "description"] as const) {
      assert.equal(new Set(all.map((each) => each[key])).size, all.length);
    }
  });
});

describe("cardsRule", () => {
  const markdown = MarkdownIt({ html: true });
  cardsRule(markdown, (path) => `---\ntitle: About ${path}\ndescription: "Sums & more."\n---\nText.`);

  it("renders a list for each part with a card per chapter, in order, from its front matter", () => {
    const html = markdown.render("Above.\n\n<!-- chapters -->\n\nBelow.");
    const cards = html.match(/<li.*<\/li>/g)!;
    assert.equal(cards.length, chapters.length);
    const tiles = chapters.findIndex(([path]) => path === "learn/tiles");
    const heading = `${tiles + 1}. <a href="./tiles">About learn/tiles.md</a>`;
    assert.equal(cards[tiles], `<li class="card"><h3>${heading}</h3>Sums &amp; more.</li>`);
    const names = Array.from(html.matchAll(/<h2>(.+)<\/h2>/g), ([, name]) => name);
    assert.deepEqual(
      names,
      parts.map(({ name }) => name),
    );
  });
});
