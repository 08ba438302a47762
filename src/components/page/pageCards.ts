import type MarkdownIt from "markdown-it";
import { chapters, parts } from "./pages.js";

/** Returns the title and the description in a page's front matter. */
export function frontMatterOf(markdown: string): { title?: string; description?: string } {
  const read = (key: string) => new RegExp(`^${key}: "?(.+?)"?$`, "m").exec(markdown)?.[1];
  return { title: read("title"), description: read("description") };
}

/**
 * Renders `<!-- chapters -->` as a list of cards for each part, one per chapter.
 * @param read returns the text of a file below src/
 */
export function cardsRule(markdown: MarkdownIt, read: (path: string) => string): void {
  const { escapeHtml } = markdown.utils;
  const cardOf = ([path, name]: readonly [string, string]) => {
    const { title = name, description = "" } = frontMatterOf(read(`${path}.md`));
    return `<li><a href="${path.replace("learn", ".")}"><strong>${escapeHtml(title)}</strong></a>${escapeHtml(description)}</li>`;
  };
  const listOf = ({ name, chapters: own }: (typeof parts)[number]) => {
    const start = chapters.indexOf(own[0]) + 1;
    return `<h2>${escapeHtml(name)}</h2>\n<ol class="cards" start="${start}">\n${own.map(cardOf).join("\n")}\n</ol>\n`;
  };
  const renderHtml = markdown.renderer.rules.html_block!;
  markdown.renderer.rules.html_block = (tokens, index, ...rest) =>
    tokens[index].content.trim() === "<!-- chapters -->"
      ? parts.map(listOf).join("")
      : renderHtml(tokens, index, ...rest);
}
