import type MarkdownIt from "markdown-it";
import { splitTerms } from "./glossary.js";

/** Explains the words of the field in the notes and captions that pages write themselves, each where it is first said. */
export function termRule(markdown: MarkdownIt): void {
  markdown.core.ruler.push("terms", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "html_block") continue;
      // What cells write between is Framework's to replace.
      token.content = token.content.replace(captions, (part) => (part.includes("${") ? part : explainTerms(part)));
    }
  });
}

const captions = /<figcaption>.*?<\/figcaption>|<p class="learn-note".*?<\/p>/gs;
/** Names of things to press or to read as they are. */
const verbatim = /(<(a|code)\b.*?<\/\2>|<[^>]+>)/s;

function explainTerms(html: string): string {
  const seen = new Set<string>();
  const term = ({ word, name }: { word: string; name: string }) => {
    if (seen.has(name)) return word;
    seen.add(name);
    return `<dfn class="term" data-things="word:${encodeURIComponent(name)}" tabindex="0">${word}</dfn>`;
  };
  const text = (part: string) => splitTerms(part).map((each) => (typeof each === "string" ? each : term(each)));
  // Besides what is between it, a split gives both groups of what it splits at.
  return html
    .split(verbatim)
    .flatMap((part = "", i) => (i % 3 === 0 ? text(part) : i % 3 === 1 ? [part] : []))
    .join("");
}
