import assert from "node:assert/strict";
import MarkdownIt from "markdown-it";
import { describe, it } from "vitest";
import { splitTerms } from "../../../src/components/figures/glossary.js";
import { termRule } from "../../../src/components/figures/termRule.js";

function build(source: string): string {
  const markdown = MarkdownIt({ html: true });
  termRule(markdown);
  return markdown.render(source);
}

const term = (name: string, text = name) =>
  `<dfn class="term" data-things="word:${encodeURIComponent(name)}" tabindex="0">${text}</dfn>`;

describe("the terms of the glossary", () => {
  it("are found as whole words, in singular and plural, and symbols in their own case", () => {
    assert.deepEqual(splitTerms("Kernels fill tiles"), [
      { word: "Kernels", name: "kernel" },
      " fill ",
      { word: "tiles", name: "tile" },
    ]);
    assert.deepEqual(splitTerms("T is 1, and t and textile are no terms"), [
      { word: "T", name: "T" },
      " is 1, and t and textile are no terms",
    ]);
  });

  it("are explained at their first occurrence in a note or caption, except in links and code", () => {
    assert.equal(
      build('<p class="learn-note">A tile, <a href="#tile">its tile</a>, <code>tile</code>, tiles and α.</p>'),
      `<p class="learn-note">A ${term("tile")}, <a href="#tile">its tile</a>, <code>tile</code>, tiles and ${term("α")}.</p>`,
    );
    assert.equal(
      build("<figure>\n<figcaption><strong>A tile</strong></figcaption>\n<p>A tile\n\n</figure>"),
      `<figure>\n<figcaption><strong>A ${term("tile")}</strong></figcaption>\n<p>A tile\n</figure>`,
    );
  });

  it("are left alone in text with inline cells, and in prose", () => {
    for (const source of [`<p class="learn-note">A tile of \${blobs} blobs.</p>`, "<p>A tile.</p>"])
      assert.equal(build(source), source);
    assert.equal(build("A tile."), "<p>A tile.</p>\n");
  });
});
