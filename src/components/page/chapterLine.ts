import type MarkdownIt from "markdown-it";
import { chapters, parts } from "./pages.js";

/** Puts the number and the part of a chapter below its title. */
export function chapterLineRule(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer;
  const renderClose = rules.heading_close;
  rules.heading_close = (tokens, index, options, env, self) => {
    const html = renderClose?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
    const chapter = chapters.findIndex(([path]) => `/${path}` === env.path);
    if (tokens[index].tag !== "h1" || chapter < 0) return html;
    const part = parts.find(({ chapters: own }) => own.includes(chapters[chapter]))!;
    return `${html}<p class="quiet">Chapter ${chapter + 1} of ${chapters.length} · ${part.name}</p>\n`;
  };
}
