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
  const cardOf = (chapter: (typeof chapters)[number]) => {
    const [path, name] = chapter;
    const { title = name, description = "" } = frontMatterOf(read(`${path}.md`));
    const heading = `${chapters.indexOf(chapter) + 1}. <a href="${path.replace("learn", ".")}">${escapeHtml(title)}</a>`;
    return `<li class="card"><h3>${heading}</h3>${escapeHtml(description)}</li>`;
  };
  const listOf = ({ name, chapters: own }: (typeof parts)[number]) => {
    return `<h2>${escapeHtml(name)}</h2>\n<ol class="grid grid-cols-4">\n${own.map(cardOf).join("\n")}\n</ol>\n`;
  };
  const renderHtml = markdown.renderer.rules.html_block!;
  markdown.renderer.rules.html_block = (tokens, index, ...rest) =>
    tokens[index].content.trim() === "<!-- chapters -->"
      ? parts.map(listOf).join("")
      : renderHtml(tokens, index, ...rest);
}
