import { javascript } from "@codemirror/lang-javascript";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { wgsl } from "./wgslLanguage.js";

const parsers = { wgsl: wgsl.parser, typescript: javascript({ typescript: true }).language.parser };

/** A piece of a line, and the CSS classes that colour it, which may be empty. */
export type CodeToken = [text: string, classes: string];

/** Returns the tokens of each line of a text. */
export function highlight(text: string, language: keyof typeof parsers): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  const addToken = (token: string, classes: string) => void lines.at(-1)!.push([token, classes]);
  highlightCode(text, parsers[language].parse(text), classHighlighter, addToken, () => void lines.push([]));
  return lines;
}
