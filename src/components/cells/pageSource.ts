import MarkdownIt from "markdown-it";
import type { AddedCell, PageEdits } from "./pageEdits.js";

/** A code cell of a page's Markdown. */
export interface SourceCell {
  /** What the fence says; only "js" and "ts" can be edited. */
  language: string;
  source: string;
  /** Whether the page shows the code. */
  echo: boolean;
  /** The lines of the fence, the first of them and the one after the last. */
  lines: [number, number];
}

/** Fences that Framework makes cells of. */
const live = new Set(["js", "ts", "jsx", "tsx", "tex", "html", "sql", "svg", "dot", "mermaid"]);

/** The cells of a page in the order in which Framework defines them, found by the parser that it uses too. */
export function cellsOf(markdown: string): SourceCell[] {
  return MarkdownIt({ html: true })
    .parse(markdown, {})
    .filter(({ type }) => type === "fence")
    .map(({ info, content, map }) => {
      const [language = "", ...attributes] = info.trim().split(/\s+/);
      return {
        language,
        source: content.replace(/\n$/, ""),
        echo: attributes.includes("echo") || attributes.includes("echo=true"),
        isOff: attributes.includes("run=false"),
        lines: map as [number, number],
      };
    })
    .filter(({ language, isOff }) => live.has(language) && !isOff)
    .map(({ isOff: _, ...cell }) => cell);
}

/**
 * The page with the reader's cells in it, as Markdown that Framework builds.
 * @param ids of the page's cells, in their order
 */
export function writePage(markdown: string, ids: readonly string[], { edits, added }: PageEdits): string {
  const lines = markdown.split("\n");
  // From the end, so that the lines before keep their numbers.
  for (const [number, cell] of [...cellsOf(markdown).entries()].reverse()) {
    const [first, end] = cell.lines;
    const own = added.filter(({ after }) => after === ids[number]).flatMap((cell) => ["", ...fenced(cell)]);
    lines.splice(end, 0, ...own);
    const edited = edits[ids[number]];
    if (edited === undefined) continue;
    const fence = fenceOf(edited);
    const isLonger = fence.length > (/^`+/.exec(lines[first])?.[0].length ?? fence.length);
    if (isLonger) lines[end - 1] = fence;
    if (isLonger) lines[first] = lines[first].replace(/^`+/, fence);
    lines.splice(first + 1, end - first - 2, ...edited.split("\n"));
  }
  return lines.join("\n");
}

function fenced({ language, source }: AddedCell): string[] {
  if (language === "md") return withoutCells(source);
  const fence = fenceOf(source);
  return [`${fence}${language}`, ...source.split("\n"), fence];
}

/** A fence that no line of a source closes. */
function fenceOf(source: string): string {
  const longest = Math.max(2, ...Array.from(source.matchAll(/^ {0,3}(`{3,})/gm), ([, ticks]) => ticks.length));
  return "`".repeat(longest + 1);
}

/** The lines of a Markdown cell; code in it is to be read, and Framework is told so. */
function withoutCells(source: string): string[] {
  const lines = source.split("\n");
  for (const {
    lines: [first],
  } of cellsOf(source))
    lines[first] = `${lines[first].trimEnd()} run=false`;
  return lines;
}
