import slugify from "@sindresorhus/slugify";
import { tokenizer, tokTypes } from "acorn";
import MarkdownIt, { type Token } from "markdown-it";
import { formulaOptions, mathRule } from "../page/mathRule.js";

/** The name by which a Markdown cell's body calls `fillMarkdown`. */
export const fillName = "fillMarkdown";

/**
 * A Markdown cell as a script: its `${…}` are expressions that refer to other cells, and its `$…$` formulas, as in a
 * page's own text.
 */
export async function markdownCell(source: string): Promise<string> {
  const expressions: string[] = [];
  const markdown = MarkdownIt({ html: true, linkify: true });
  // As Framework has it.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markdown.inline.ruler.before("text", "placeholder", (state, silent) => {
    if (!state.src.startsWith("${", state.pos)) return false;
    const end = endOfExpression(state.src, state.pos + 2);
    if (end === undefined) return false;
    if (!silent) {
      state.push("placeholder", "", 0).content = state.src.slice(state.pos + 2, end);
    }
    state.pos = end + 1;
    return true;
  });
  // The typesetter is large, and few cells hold formulas.
  if (/\$[^{]/.test(source)) {
    const { default: temml } = await import("temml");
    mathRule(markdown, (tex, displayMode) => temml.renderToString(tex, { ...formulaOptions, displayMode }));
  }
  // What Framework makes of headings and of links to elsewhere.
  markdown.core.ruler.push("as in a page", ({ tokens, Token }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type === "heading_open") {
        const heading = tokens[index + 1];
        const id = slug(heading);
        token.attrs = [
          ["id", id],
          ["tabindex", "-1"],
        ];
        const link = new Token("link_open", "a", 1);
        link.attrs = [
          ["class", "observablehq-header-anchor"],
          ["href", `#${id}`],
        ];
        heading.children = [link, ...heading.children!, new Token("link_close", "a", -1)];
      }
      for (const link of token.children ?? []) {
        const isExternal = link.type === "link_open" && /^\w+:/.test(String(link.attrGet("href")));
        if (isExternal) link.attrs!.push(["target", "_blank"], ["rel", "noopener noreferrer"]);
      }
    }
  });
  const placeholder = (expression: string) => `<span data-value="${expressions.push(expression) - 1}"></span>`;
  markdown.renderer.rules.placeholder = (tokens, index) => placeholder(tokens[index].content);
  markdown.renderer.rules.html_block = (tokens, index) => withPlaceholders(tokens[index].content, placeholder);
  const html = markdown.render(source);
  return `display(${fillName}(${JSON.stringify(html)}, [${expressions.map((text) => `(${text})`).join(", ")}]))`;
}

/** Returns the id of a heading, as Framework makes it. */
function slug({ children }: Token): string {
  const textTokens = (children ?? []).filter(({ type }) => type === "text" || type === "code_inline");
  return slugify(textTokens.map(({ content }) => content).join(""));
}

/** HTML whose expressions outside tags, comments, scripts and styles are in their places. */
function withPlaceholders(html: string, placeholder: (expression: string) => string): string {
  const parts = /<!--.*?-->|<(script|style)\b.*?<\/\1>|<[^>]*>|\$\{/gis;
  let text = "";
  let done = 0;
  for (let part = parts.exec(html); part; part = parts.exec(html)) {
    const end = part[0] === "${" ? endOfExpression(html, parts.lastIndex) : undefined;
    if (end === undefined) continue;
    text += html.slice(done, part.index) + placeholder(html.slice(parts.lastIndex, end));
    done = parts.lastIndex = end + 1;
  }
  return text + html.slice(done);
}

/** What a Markdown cell shows: its HTML with the expressions' values in their places. */
export function fillMarkdown(html: string, values: unknown[]): HTMLElement {
  const node = document.createElement("div");
  node.className = "markdown-cell";
  node.innerHTML = html;
  for (const placeholder of node.querySelectorAll<HTMLElement>("span[data-value]")) {
    const value = values[Number(placeholder.dataset.value)];
    const parts = typeof value === "object" && value !== null && Symbol.iterator in value ? value : [value];
    placeholder.replaceWith(
      ...Array.from(parts as Iterable<unknown>, (part) => (part instanceof Node ? part : String(part))),
    );
  }
  return node;
}

/** Where the brace is that closes an expression, or undefined if none does. */
function endOfExpression(text: string, start: number): number | undefined {
  let open = 1;
  try {
    for (const { type, start: at } of tokenizer(text.slice(start), { ecmaVersion: 13 })) {
      if (type === tokTypes.braceL || type === tokTypes.dollarBraceL) open++;
      else if (type === tokTypes.braceR && --open === 0) return start + at;
    }
  } catch {
    // What is no script has no end.
  }
  return undefined;
}
