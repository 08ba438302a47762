import type MarkdownIt from "markdown-it";
import { splitTerms } from "./glossary.js";

/** Explains the terms of the glossary in the static notes and captions of pages, each at its first occurrence. */
export function termRule(markdown: MarkdownIt): void {
  markdown.core.ruler.push("terms", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "html_block") continue;
      // Framework replaces the text of inline cells.
      token.content = token.content.replace(captions, (part) => (part.includes("${") ? part : explainTerms(part)));
    }
  });
}

const captions = /<figcaption>.*?<\/figcaption>|<p class="learn-note".*?<\/p>/gs;
/** Links and code. */
const verbatim = /(<(a|code)\b.*?<\/\2>|<[^>]+>)/s;

function explainTerms(html: string): string {
  const seen = new Set<string>();
  const term = ({ word, name }: { word: string; name: string }) => {
    if (seen.has(name)) return word;
    seen.add(name);
    return `<dfn class="term" data-things="word:${encodeURIComponent(name)}" tabindex="0">${word}</dfn>`;
  };
  const text = (part: string) => splitTerms(part).map((each) => (typeof each === "string" ? each : term(each)));
  // The pattern has two groups, so the split returns text, element and tag name in turn.
  return html
    .split(verbatim)
    .flatMap((part = "", i) => (i % 3 === 0 ? text(part) : i % 3 === 1 ? [part] : []))
    .join("");
}
