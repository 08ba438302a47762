import slugify from "@sindresorhus/slugify";
import { tokenizer, tokTypes } from "acorn";
import MarkdownIt, { type Token } from "markdown-it";
import { formulaOptions, mathRule } from "../page/mathRule.js";

/** The name of `fillMarkdown` in a Markdown cell's body. */
export const fillName = "fillMarkdown";

/** Matches a link up to the name of a page, which has an extension in the site's own links too. */
const pageLink = /(<a [^>]*?href="\.[^"?#]*\/[^"/.?#]+)(?=[?#"])/g;

/** Returns a Markdown cell as a script. As in a page's own text, `${…}` is an expression and `$…$` a formula. */
export async function markdownCell(source: string): Promise<string> {
  const expressions: string[] = [];
  const markdown = MarkdownIt({ html: true, linkify: true });
  // Framework's options.
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
  // Temml is large, and few cells have formulas.
  if (/\$[^{]/.test(source)) {
    const { default: temml } = await import("temml");
    mathRule(markdown, (tex, displayMode) => temml.renderToString(tex, { ...formulaOptions, displayMode }));
  }
  // Anchors of headings and attributes of external links, as in a page.
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
  const html = markdown.render(source).replace(pageLink, "$1.html");
  return `display(${fillName}(${JSON.stringify(html)}, [${expressions.map((text) => `(${text})`).join(", ")}]))`;
}

/** Returns the id of a heading, as Framework makes it. */
function slug({ children }: Token): string {
  const textTokens = (children ?? []).filter(({ type }) => type === "text" || type === "code_inline");
  return slugify(textTokens.map(({ content }) => content).join(""));
}

/** Returns HTML with a placeholder for each expression outside tags, comments, scripts and styles. */
function withPlaceholders(html: string, placeholder: (expression: string) => string): string {
  const tokens = /<!--.*?-->|<(script|style)\b.*?<\/\1>|<[^>]*>|\$\{/gis;
  let text = "";
  let done = 0;
  for (let token = tokens.exec(html); token; token = tokens.exec(html)) {
    const end = token[0] === "${" ? endOfExpression(html, tokens.lastIndex) : undefined;
    if (end === undefined) continue;
    text += html.slice(done, token.index) + placeholder(html.slice(tokens.lastIndex, end));
    done = tokens.lastIndex = end + 1;
  }
  return text + html.slice(done);
}

/** Returns a Markdown cell's output: its HTML with the values of its expressions. */
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

/** Returns the index of the brace that closes an expression, or undefined if there is none. */
function endOfExpression(text: string, start: number): number | undefined {
  let open = 1;
  try {
    for (const { type, start: at } of tokenizer(text.slice(start), { ecmaVersion: 13 })) {
      if (type === tokTypes.braceL || type === tokTypes.dollarBraceL) open++;
      else if (type === tokTypes.braceR && --open === 0) return start + at;
    }
  } catch {
    // A syntax error: there is no such brace.
  }
  return undefined;
}
