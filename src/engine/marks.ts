/**
 * Marks name the lines of the kernels and of their CPU reference that pages point at. A mark is a comment such as
 * `//@ sort.swap` at the end of its line, or on a separate line above it. Spaces separate several marks, and
 * `//@ blend.{0,1}` is short for `//@ blend.0 blend.1`. Code that runs or is shown contains no marks.
 */

/** A line of a source without its comment, and the marks on it. */
export interface MarkedLine {
  text: string;
  marks: string[];
}

const comment = /\s*\/\/@((?: [\w.{},]+)+)$/;

/** Returns the lines of a source; marks on a separate line belong to the next one. */
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

/** Returns the marks that one with braces is short for. */
function expandBraces(mark: string): string[] {
  const [, before, choices, after] = /^(.*?)\{(.*?)\}(.*)$/.exec(mark) ?? [];
  if (choices === undefined) return [mark];
  return choices.split(",").flatMap((choice) => expandBraces(`${before}${choice}${after}`));
}

/** Returns the index of the line that declares a name in WGSL or TypeScript or has a mark of that name, or −1. */
export function findDeclaration(lines: MarkedLine[], name: string): number {
  const declares = new RegExp(`^(?:export )?(?:fn|struct|function\\*?|class|const) ?\\b${name}\\b`);
  return lines.findIndex(({ text, marks }) => declares.test(text) || marks.includes(name));
}

/** Returns the lines from an index through the line that closes what the first one opens. */
export function blockAt(lines: MarkedLine[], first: number): MarkedLine[] {
  const { text } = lines[first];
  const indent = /^\s*/.exec(text)![0];
  // A line that opens nothing is the whole block.
  if (!/[[({,]$/.test(text)) return [lines[first]];
  const closes = new RegExp(`^${indent}[)}\\]]`);
  const last = lines.findIndex(({ text }, at) => at > first && closes.test(text) && !/[{(]$/.test(text));
  return lines.slice(first, last < 0 ? undefined : last + 1);
}
