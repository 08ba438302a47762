import { html } from "htl";
import { blockAt, findDeclaration, type MarkedLine, markedLines } from "../../engine/marks.js";
import { loadMarkedShaders } from "../../host/browser/shaderFiles.js";
import type { CodeToken } from "../editor/highlight.js";
import { scrollIntoBox } from "./scrollIntoBox.js";

/**
 * Returns an excerpt of a kernel.
 * @param excerpt its file below shaders/, and a declaration: "shared/blend.wgsl#alphaBlend"
 * @param active the marks of the lines to highlight: "code:sort.swap" highlights the line with the mark sort.swap
 * @throws Error if a file has no such excerpt
 */
export async function codeListing(excerpt: `${string}#${string}`, ...active: string[]): Promise<HTMLElement> {
  const [file, name] = excerpt.split("#");
  const [{ highlight }, kernels] = await Promise.all([import("../editor/highlight.js"), loadMarkedShaders()]);
  const path = `shaders/${file}`;
  const lines = markedLines(kernels.get(file) ?? "");
  const first = findDeclaration(lines, name);
  if (first < 0) throw new Error(`${path} has no ${name}.`);
  const rows = rowsOf(blockAt(lines, first), (text) => highlight(text, "wgsl"), active);
  const box = html<HTMLPreElement>`<pre class="code-text" tabindex="0" role="group" aria-label=${`WGSL, ${path}`}><code>${rows}</code></pre>`;
  // Lines have no position before they are on the page, and move when they wrap differently.
  new ResizeObserver(() => scrollIntoBox(box, ...box.querySelectorAll(".active"))).observe(box);
  return html`<div class="code-listing"><p class="quiet"><strong>WGSL</strong> ${path}</p>${box}</div>`;
}

function rowsOf(lines: MarkedLine[], highlightText: (text: string) => CodeToken[][], active: string[]): HTMLElement[] {
  // The first line of an excerpt has the least indentation.
  const indent = /^ */.exec(lines[0].text)![0].length;
  const lineTexts = lines.map(({ text }) => text.slice(indent));
  const tokens = highlightText(lineTexts.join("\n"));
  return lines.map(({ marks }, index) => {
    const isActive = marks.some((mark) => active.includes(`code:${mark}`));
    return html`<span
      class=${`code-line${isActive ? " active" : ""}`}
      style=${`--indent: ${/^ */.exec(lineTexts[index])![0].length}ch`}
      aria-current=${isActive && "step"}
    >${tokens[index].map(tokenNode)}</span>`;
  });
}

/** Returns a token without a template, since an excerpt has hundreds. */
function tokenNode([text, className]: CodeToken): Node | string {
  return className ? Object.assign(document.createElement("span"), { className, textContent: text }) : text;
}
