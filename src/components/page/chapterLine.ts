import type MarkdownIt from "markdown-it";
import { chapters, parts } from "./pages.js";

const wordsPerMinute = 200;
/** Also for cells that are not figures, such as choices. */
const minutesPerFigure = 0.5;

/** Returns about how many minutes a page takes: by the words of its prose, and a fixed time for each slot of figures. */
export function minutesOf(markdown: string): number {
  const prose = markdown
    .replace(/^---\n.*?\n---\n/s, "")
    .replace(/^(`{3,})[^\n]*\n.*?^\1/gms, "")
    .replace(/<\/?[a-z][^<>]*>/gi, " ");
  const words = prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const slots = markdown.match(/class="(?:[^"]* )?slot[" ]/g)?.length ?? 0;
  return Math.round(words / wordsPerMinute + minutesPerFigure * slots);
}

export function minutesText(minutes: number): string {
  return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}

/** Returns a line with a chapter's number, part and time; undefined for other pages. */
export function chapterLine(path: string, markdown: string): string | undefined {
  const index = chapters.findIndex(([chapter]) => chapter === path);
  if (index < 0) return undefined;
  const part = parts.find((part) => part.chapters.includes(chapters[index]))!;
  return `Chapter ${index + 1} of ${chapters.length} · ${part.name} · ${minutesText(minutesOf(markdown))}`;
}

/**
 * Puts the line of a chapter below its title.
 * @param read returns the text of a file below src/
 */
export function chapterLineRule(markdown: MarkdownIt, read: (path: string) => string): void {
  const { rules } = markdown.renderer;
  const renderClose = rules.heading_close;
  rules.heading_close = (tokens, index, options, env, self) => {
    const html = renderClose?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
    if (tokens[index].tag !== "h1" || typeof env.path !== "string") return html;
    const path = env.path.slice(1);
    const line = chapterLine(path, chapters.some(([chapter]) => chapter === path) ? read(`${path}.md`) : "");
    return line === undefined ? html : `${html}<p class="chapter-line">${markdown.utils.escapeHtml(line)}</p>\n`;
  };
}
