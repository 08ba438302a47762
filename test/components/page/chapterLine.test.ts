import assert from "node:assert/strict";
import MarkdownIt from "markdown-it";
import { describe, it } from "vitest";
import { chapterLine, chapterLineRule, minutesOf } from "../../../src/components/page/chapterLine.js";
import { chapters } from "../../../src/components/page/pages.js";

describe("minutesOf", () => {
  it("counts words of prose and slots, and neither code nor front matter", () => {
    const words = "word ".repeat(400);
    assert.equal(minutesOf(words), 2);
    assert.equal(minutesOf(`---\ntitle: ${words}\n---\n\n${words}\n\`\`\`js\n${words}\n\`\`\`\n`), 2);
    assert.equal(minutesOf(`${words}<div class="slot">\n</div>\n<p class="learn-note slot">`), 3);
  });
});

describe("chapterLine", () => {
  it("has the chapter's number, its part and its time", () => {
    const number = chapters.findIndex(([path]) => path === "learn/tiles") + 1;
    const line = chapterLine("learn/tiles", "word ".repeat(200));
    assert.equal(line, `Chapter ${number} of ${chapters.length} · On the GPU · about 1 minute`);
    assert.equal(chapterLine("learn/index", "word"), undefined);
  });
});

describe("chapterLineRule", () => {
  const markdown = MarkdownIt();
  chapterLineRule(markdown, () => "word ".repeat(2000));

  it("puts the line below the title of a chapter, and of no other page", () => {
    const [path] = chapters[0];
    const html = markdown.render("# A title\n\n## A section\n", { path: `/${path}` });
    assert.match(
      html,
      /^<h1>A title<\/h1>\n<p class="chapter-line">Chapter 1 of \d+ · .* · about 10 minutes<\/p>\n<h2>/,
    );
    assert.equal(markdown.render("# A title\n", { path: "/learn/index" }), "<h1>A title</h1>\n");
  });
});
