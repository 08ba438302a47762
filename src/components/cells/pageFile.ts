import { type AddedCell, addedIdPrefix, isLanguage, type PageEdits, readEdits } from "./pageEdits.js";
import { cellsOf, type SourceCell } from "./pageSource.js";

/**
 * Returns a page with the reader's edits as Markdown that Framework can build.
 * @param ids those of the page's cells, in order
 */
export function writePage(markdown: string, ids: readonly string[], { edits, added }: PageEdits): string {
  const lines = markdown.split("\n");
  // From the end, to keep the numbers of earlier lines.
  for (const [number, cell] of [...cellsOf(markdown).entries()].reverse()) {
    const [first, end] = cell.lines;
    const own = added.filter(({ after }) => after === ids[number]).flatMap((cell) => ["", ...fenced(cell)]);
    lines.splice(end, 0, ...own);
    const edited = edits[ids[number]];
    if (edited === undefined) continue;
    if (cell.language === "md") {
      lines.splice(first, end - first, ...withInertFences(edited));
      continue;
    }
    const fence = fenceOf(edited);
    if (fence.length > (/^`+/.exec(lines[first])?.[0].length ?? fence.length)) {
      lines[first] = lines[first].replace(/^`+/, fence);
      lines[end - 1] = fence;
    }
    lines.splice(first + 1, end - first - 2, ...edited.split("\n"));
  }
  return lines.join("\n");
}

function fenced({ language, source }: AddedCell): string[] {
  if (language === "md") return withInertFences(source);
  const fence = fenceOf(source);
  return [`${fence}${language}`, ...source.split("\n"), fence];
}

/** Returns a fence that no line of a source closes. */
function fenceOf(source: string): string {
  const longest = Math.max(2, ...Array.from(source.matchAll(/^ {0,3}(`{3,})/gm), ([, ticks]) => ticks.length));
  return "`".repeat(longest + 1);
}

/** Returns the lines of a Markdown cell, with its code fences marked not to run. */
function withInertFences(source: string): string[] {
  const lines = source.split("\n");
  for (const cell of cellsOf(source)) {
    const [first] = cell.lines;
    if (cell.language !== "md") lines[first] = `${lines[first].trimEnd()} run=false`;
  }
  return lines;
}

/**
 * Returns the edits that make a page the one in a file of `writePage`. The page's own cells cannot be removed.
 * @param ids those of the page's own cells
 * @throws Error of one sentence if the file is not a page, or its edits are too large
 */
export function editsOfFile(name: string, text: string, markdown: string, ids: readonly string[]): PageEdits {
  const own = cellsOf(markdown);
  const cells = /\.md$/i.test(name) ? cellsOf(text) : [];
  if (cells.length === 0) throw new Error(`${name} is not a page: it must be a Markdown file (.md) with cells.`);
  if (cells.some(({ language }) => language === "sql")) {
    throw new Error(`${name} has a cell in SQL, which pages do not run: write it in JavaScript.`);
  }
  const edits: Record<string, string> = {};
  const added: AddedCell[] = [];
  const common = commonCells(own, cells);
  // The cells of another page are all new.
  let [next, start] = [common.length > 0 ? 0 : own.length, 0];
  for (const [ownEnd, end] of [...common, [own.length, cells.length]]) {
    // Between two cells that are in both, each is a changed one, by its language, or a new one.
    for (const { language, source } of cells.slice(start, end)) {
      const changed = own.findIndex((cell, i) => next <= i && i < ownEnd && cell.language === language);
      if (changed >= 0) {
        if (isLanguage(language)) edits[ids[changed]] = source;
        next = changed + 1;
      } else if (isLanguage(language)) {
        const after = ids[Math.max(0, next - 1)];
        added.push({ id: `${addedIdPrefix}file-${added.length}`, after, language, source });
      }
    }
    [next, start] = [ownEnd + 1, end + 1];
  }
  return readEdits({ edits, added });
}

/** Returns the positions of a longest common subsequence of two lists of cells. */
function commonCells(a: readonly SourceCell[], b: readonly SourceCell[]): [number, number][] {
  const isSame = (i: number, j: number) => a[i].language === b[j].language && a[i].source === b[j].source;
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i][j] = isSame(i, j) ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const positions: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (isSame(i, j)) positions.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return positions;
}
