import { javascript } from "@codemirror/lang-javascript";
import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { wgsl } from "./wgslLanguage.js";

const parsers = { wgsl: wgsl.parser, typescript: javascript({ typescript: true }).language.parser };

/** Gives tokens the classes that Framework's theme colours. */
export const highlighter = tagHighlighter([
  { tag: [tags.keyword, tags.bool, tags.null], class: "hljs-keyword" },
  { tag: [tags.attributeName, tags.meta], class: "hljs-meta" },
  { tag: tags.comment, class: "hljs-comment" },
  { tag: tags.number, class: "hljs-number" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], class: "hljs-string" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: "hljs-title" },
  { tag: [tags.typeName, tags.className], class: "hljs-built_in" },
]);

/** A piece of a line, and the CSS classes that colour it, which may be empty. */
export type CodeToken = [text: string, classes: string];

/** Returns the tokens of each line of a text. */
export function highlight(text: string, language: keyof typeof parsers): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  const addToken = (token: string, classes: string) => void lines.at(-1)!.push([token, classes]);
  highlightCode(text, parsers[language].parse(text), highlighter, addToken, () => void lines.push([]));
  return lines;
}
