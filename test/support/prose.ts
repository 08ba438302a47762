import { typescriptLanguage } from "@codemirror/lang-javascript";
import { bisectLeft } from "d3-array";

/** A line of text that people read: of a page, a comment or a string. */
export interface Passage {
  line: number;
  text: string;
}

/** Returns the lines of a file that people read: all of a page, and the comments and strings of code. */
export function passagesOf(path: string, source: string): Passage[] {
  if (/\.(md|cff)$/.test(path)) return lineReader(source)(0, source.length);
  const passages = /\.[jt]s$/.test(path) ? scriptPassages(source) : commentPassages(source);
  return passages.filter(({ text }) => /\s/.test(text) || /^[A-Z]/.test(text));
}

/** Returns the comments and strings of TypeScript or JavaScript. */
function scriptPassages(source: string): Passage[] {
  const passages: Passage[] = [];
  const linesOf = lineReader(source);
  const add = (from: number, to: number) => passages.push(...linesOf(from, to));
  typescriptLanguage.parser.parse(source).iterate({
    enter({ name, from, to, node }) {
      if (/Comment$/.test(name)) add(from + 2, to);
      if (name === "String") add(from + 1, to - 1);
      if (name !== "TemplateString") return;
      let start = from + 1;
      for (const { from, to } of node.getChildren("Interpolation")) {
        add(start, from);
        start = to;
      }
      add(start, to - 1);
    },
  });
  return passages;
}

/** Returns the comments of CSS or WGSL. */
function commentPassages(source: string): Passage[] {
  const comments = source.matchAll(/\/\*.*?\*\/|\/\/[^\n]*/gs);
  const linesOf = lineReader(source);
  return [...comments].flatMap(({ index, 0: text }) => linesOf(index + 2, index + text.length));
}

/** Returns a function that returns the lines of a section of a file, without the asterisks of comments. */
function lineReader(source: string): (start: number, end: number) => Passage[] {
  const breaks = Array.from(source.matchAll(/\n/g), ({ index }) => index);
  return (start, end) => {
    const first = bisectLeft(breaks, start) + 1;
    const lines = source.slice(start, end).split("\n");
    return lines.map((line, i) => ({ line: first + i, text: line.replace(/^\s*\* ?/, "") }));
  };
}
