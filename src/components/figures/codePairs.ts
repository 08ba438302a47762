import { html } from "htl";
import { blockAt, findDeclaration, type MarkedLine, markedLines } from "../../engine/marks.js";
import { loadMarkedShaders } from "../../host/browser/shaderFiles.js";
import type { CodeToken, highlight } from "../editor/highlight.js";
import { markedReference } from "../kernels/cpuReferences.js";
import type { ReferenceFile } from "../kernels/kernelHeader.js";
import { chapterQuery } from "../page/chapterQuery.js";
import { linkThings } from "./pointing.js";
import { scrollIntoBox } from "./scrollIntoBox.js";

/**
 * Excerpts of a kernel and of its CPU reference. Each is named by its file and a declaration, such as
 * "shared/blend.wgsl#alphaBlend", or by the mark on its first line, such as "tiled/fineRasterize.wgsl#undo.loop".
 */
export interface CodePair {
  /** File below shaders/. */
  wgsl: `${string}#${string}`;
  /** File below src/engine/. */
  reference?: `${ReferenceFile}#${string}` | undefined;
}

/**
 * Returns excerpts of kernels, each next to its CPU reference. Marks in the sources link lines to things: the mark sort.swap
 * links its line to "code:sort.swap". A link can choose the language in which code is shown (`?language=typescript`); the other
 * is folded.
 * @param active the things of the lines to highlight
 * @throws Error if a file has no such excerpt
 */
export async function codePairs(pairs: CodePair[], ...active: string[]): Promise<HTMLElement> {
  const { highlight } = await import("../editor/highlight.js");
  const nodes = await Promise.all(pairs.map((pair) => codePair(pair, active, highlight)));
  const node = html`<div class="code-pairs">${nodes}</div>`;
  const boxes = node.querySelectorAll("pre");
  // Lines have no position before they are on the page, and move when they wrap differently.
  const resizeObserver = new ResizeObserver((entries) => {
    for (const { target } of entries) scrollIntoBox(target, ...target.querySelectorAll(".active"));
  });
  for (const box of boxes) resizeObserver.observe(box);
  for (const box of boxes) {
    box.addEventListener("marked", () => {
      if (!box.matches(":hover")) scrollIntoBox(box, ...box.querySelectorAll(".marked"));
    });
  }
  return node;
}

async function codePair(
  { wgsl, reference }: CodePair,
  active: string[],
  highlightText: typeof highlight,
): Promise<HTMLElement> {
  const panel = (title: string, path: string, text: string, name: string, language: "wgsl" | "typescript") => {
    const lines = markedLines(text);
    const first = findDeclaration(lines, name);
    if (first < 0) throw new Error(`${path} has no ${name}.`);
    const rows = rowsOf(blockAt(lines, first), (text) => highlightText(text, language), active);
    const label = `${title}, ${path}`;
    return html`<div class="code-panel">
      <p class="code-head"><strong>${title}</strong> ${path}</p>
      <pre class="code-text" tabindex="0" role="group" aria-label=${label}><code>${rows}</code></pre>
    </div>`;
  };
  const [file, name] = wgsl.split("#");
  const kernels = await loadMarkedShaders();
  const kernel = panel("WGSL", `shaders/${file}`, kernels.get(file) ?? "", name, "wgsl");
  if (!reference) return html`<div class="code-pair">${kernel}</div>`;
  const [source, declaration] = reference.split("#") as [ReferenceFile, string];
  const text = await markedReference(source);
  const referencePanel = panel("CPU reference", `src/engine/${source}`, text, declaration, "typescript");
  const language = chapterQuery().get("language");
  if (language === "wgsl") return foldedPair(kernel, "CPU reference", referencePanel);
  if (language === "typescript") return foldedPair(referencePanel, "WGSL", kernel);
  return html`<div class="code-pair">${kernel}${referencePanel}</div>`;
}

/** Returns the panel of the reader's language, and the other one folded. */
function foldedPair(panel: HTMLElement, otherTitle: string, other: HTMLElement): HTMLElement {
  return html`<div class="code-pair">${panel}<details><summary>${otherTitle}</summary>${other}</details></div>`;
}

function rowsOf(lines: MarkedLine[], highlightText: (text: string) => CodeToken[][], active: string[]): HTMLElement[] {
  // The first line of an excerpt has the least indentation.
  const indent = /^ */.exec(lines[0].text)![0].length;
  const lineTexts = lines.map(({ text }) => text.slice(indent));
  const tokens = highlightText(lineTexts.join("\n"));
  return lines.map(({ marks }, index) => {
    const things = marks.map((mark) => `code:${mark}`);
    const isActive = things.some((thing) => active.includes(thing));
    const row = html`<span
      class=${`code-line${isActive ? " active" : ""}`}
      style=${`--indent: ${/^ */.exec(lineTexts[index])![0].length}ch`}
      aria-current=${isActive && "step"}
    >${tokens[index].map(tokenNode)}</span>`;
    return things.length > 0 ? linkThings(row, ...things) : row;
  });
}

/** Returns a token without a template, since an excerpt has hundreds. */
function tokenNode([text, className]: CodeToken): Node | string {
  return className ? Object.assign(document.createElement("span"), { className, textContent: text }) : text;
}
