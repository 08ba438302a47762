/**
 * Marks name the lines of the kernels and of their CPU reference that pages point at. A mark is a comment at the end of
 * its line, or on a line of its own above it, such as `//@ sort.swap`. Spaces separate several, and braces hold what
 * differs: `//@ blend.{0,1}` is short for `//@ blend.0 blend.1`. Nothing that runs or is shown holds marks.
 */

/** A line of a source without its comment, and the marks on it. */
export interface MarkedLine {
  text: string;
  marks: string[];
}

const comment = /\s*\/\/@((?: [\w.{},]+)+)$/;

/** Returns the lines of a source; the marks that have a line of their own are on the next one. */
export function markedLines(source: string): MarkedLine[] {
  const lines: MarkedLine[] = [];
  let pendingMarks: string[] = [];
  for (const line of source.split("\n")) {
    const text = line.replace(comment, "");
    const marks = (comment.exec(line)?.[1].trim().split(" ") ?? []).flatMap(expandBraces);
    if (text === "" && marks.length > 0) pendingMarks = [...pendingMarks, ...marks];
    else {
      lines.push({ text, marks: [...pendingMarks, ...marks] });
      pendingMarks = [];
    }
  }
  return lines;
}

/** Returns a source without its marks. */
export function unmarked(source: string): string {
  return markedLines(source)
    .map(({ text }) => text)
    .join("\n");
}

/** The marks that one with braces is short for. */
function expandBraces(mark: string): string[] {
  const [, before, choices, after] = /^(.*?)\{(.*?)\}(.*)$/.exec(mark) ?? [];
  if (choices === undefined) return [mark];
  return choices.split(",").flatMap((choice) => expandBraces(`${before}${choice}${after}`));
}

/** Returns the index of the line that declares a name in WGSL or TypeScript, or that has a mark of that name; else −1. */
export function findDeclaration(lines: MarkedLine[], name: string): number {
  const declares = new RegExp(`^(?:export )?(?:fn|struct|function\\*?|class|const) ?\\b${name}\\b`);
  return lines.findIndex(({ text, marks }) => declares.test(text) || marks.includes(name));
}

/** Returns the line at an index with those after it, through the line that closes what it opens. */
export function blockAt(lines: MarkedLine[], first: number): MarkedLine[] {
  const { text } = lines[first];
  const indent = /^\s*/.exec(text)![0];
  // An opening line that closes itself, such as a declaration, is all of it.
  if (!/[[({,]$/.test(text)) return [lines[first]];
  const closes = new RegExp(`^${indent}[)}\\]]`);
  const last = lines.findIndex(({ text }, at) => at > first && closes.test(text) && !/[{(]$/.test(text));
  return lines.slice(first, last < 0 ? undefined : last + 1);
}
