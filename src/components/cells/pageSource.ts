import MarkdownIt, { type Token } from "markdown-it";
import { mathRule } from "../page/mathRule.js";

/** A cell of a page's Markdown: a fence of code, or the prose between others. */
export interface SourceCell {
  /** The language of the fence, or "md" for prose; only "js", "ts" and "md" can be edited. */
  language: string;
  source: string;
  /** Whether the page lists the code. */
  echo: boolean;
  /** The first line, fences included, and the line after the last. */
  lines: [number, number];
}

/** The class of the blocks that hold a page's prose. */
export const proseClass = "page-prose";

/** The languages of fences that Framework runs as cells. */
const cellLanguages = new Set(["js", "ts", "jsx", "tsx", "tex", "html", "sql", "svg", "dot", "mermaid"]);

const parser = MarkdownIt({ html: true });
mathRule(parser, String);

/** Returns the cells of a page in Framework's order. Framework uses the same parser. */
export function cellsOf(markdown: string): SourceCell[] {
  // Blank out the front matter, but keep its lines.
  const page = markdown.replace(/^---\n.*?\n---$/ms, (head) => head.replace(/./g, ""));
  const tokens = parser.parse(page, {});
  const prose = proseOf(tokens, page).map(({ source, lines }) => ({ language: "md", source, echo: false, lines }));
  const code = tokens
    .filter(({ type }) => type === "fence")
    .flatMap(({ info, content, map }) => {
      const [language = "", ...attributes] = info.trim().split(/\s+/);
      if (!cellLanguages.has(language) || attributes.includes("run=false")) return [];
      const echo = attributes.includes("echo") || attributes.includes("echo=true");
      return [{ language, source: content.replace(/\n$/, ""), echo, lines: map as [number, number] }];
    });
  return [...prose, ...code].sort((a, b) => a.lines[0] - b.lines[0]);
}

/**
 * Puts a page's prose into blocks, as Framework does with code, so that it can be edited as a cell.
 * @param hash returns a short hash of a source, which identifies its block
 */
export function proseRule(markdown: MarkdownIt, hash: (source: string) => string): void {
  markdown.core.ruler.after("block", "prose", ({ tokens, src, Token }) => {
    const ids: string[] = [];
    const html = (content: string) => Object.assign(new Token("html_block", "", 0), { content });
    const blocks = proseOf(tokens, src).map(({ first, last, source }) => {
      const own = `md-${hash(source)}`;
      const duplicates = ids.filter((id) => id === own || id.startsWith(`${own}-`)).length;
      ids.push(duplicates > 0 ? `${own}-${duplicates}` : own);
      return { first, last, id: ids.at(-1) };
    });
    for (const { first, last, id } of blocks.reverse()) {
      tokens.splice(last + 1, 0, html(`<!--:${id}:--></div>\n`));
      tokens.splice(first, 0, html(`<div class="${proseClass}">\n`));
    }
  });
}

/** Matches a cell with an unconditional `display` or `view` at the start of a line. */
const displayCall = /^(?:const \w+ = )?(?:await )?(?:display|view)\(/m;

/** Adds a loading indicator to every cell that displays something, as Framework does for expressions. */
export function loadingRule({ renderer: { rules } }: MarkdownIt): void {
  const fence = rules.fence!;
  rules.fence = (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest);
    const isShown = displayCall.test(tokens[index].content);
    return isShown ? html.replace('block"><!--', 'block"><observablehq-loading></observablehq-loading><!--') : html;
  };
}

/** Folds the code of cells that are marked `fold`. */
export function foldRule({ renderer: { rules } }: MarkdownIt): void {
  const fence = rules.fence!;
  rules.fence = (tokens, index, ...rest) => {
    // Rendering changes the token.
    const isFolded = /\bfold\b/.test(tokens[index].info);
    const html = fence(tokens, index, ...rest);
    if (!isFolded) return html;
    return html.replace(/<pre.*/s, (code) => `<details class="code"><summary>Code</summary>\n${code}</details>\n`);
  };
}

/** A run of blocks of Markdown without code. */
interface Prose {
  /** The indices of its first and last tokens. */
  first: number;
  last: number;
  source: string;
  /** The first line, and the line after the last that is not empty. */
  lines: [number, number];
}

/** Returns the longest runs of blocks without code. */
function proseOf(tokens: Token[], markdown: string): Prose[] {
  const runs: [number, number][] = [];
  let start = 0;
  for (const [index, { level, nesting }] of tokens.entries()) {
    if (level > 0 || nesting > 0) continue;
    const isProse = tokens.slice(start, index + 1).every(({ type }) => type !== "fence" && type !== "html_block");
    const run = runs.at(-1);
    if (isProse && run?.[1] === start - 1) run[1] = index;
    else if (isProse) runs.push([start, index]);
    start = index + 1;
  }
  const lines = markdown.split("\n");
  return runs.map(([first, last]) => {
    const start = tokens[first].map![0];
    let end = Math.max(...tokens.slice(first, last + 1).flatMap(({ map }) => map?.[1] ?? []));
    while (lines[end - 1].trim() === "") end--;
    return { first, last, source: lines.slice(start, end).join("\n"), lines: [start, end] };
  });
}
