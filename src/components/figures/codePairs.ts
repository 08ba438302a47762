import { blockAt, findDeclaration, type MarkedLine, markedLines } from "../../engine/marks.js";
import { loadMarkedShaders } from "../../host/browser/shaderFiles.js";
import type { CodeToken, highlight } from "../editor/highlight.js";
import { type ReferenceFile, referenceFiles } from "../kernels/cpuReferences.js";
import { element } from "../page/element.js";
import { linkThings } from "./pointing.js";
import { scrollIntoBox } from "./scrollIntoBox.js";

/**
 * Excerpts of a kernel and of its CPU reference, each by its file and what it declares, such as
 * "shared/blend.wgsl#alphaBlend", or by the mark on its first line, such as "tiled/fineRasterize.wgsl#undo.loop".
 */
export interface CodePair {
  /** Below shaders/. */
  wgsl: `${string}#${string}`;
  /** Below src/engine/. */
  reference?: `${ReferenceFile}#${string}` | undefined;
}

/**
 * Returns excerpts of kernels, each next to its CPU reference. Their lines stand for the things that the marks in the
 * sources name: the mark sort.swap makes its line stand for "code:sort.swap".
 * @param active the things whose lines are at work and are highlighted
 * @throws Error if a file has no such excerpt
 */
export async function codePairs(pairs: CodePair[], ...active: string[]): Promise<HTMLElement> {
  const { highlight } = await import("../editor/highlight.js");
  const nodes = await Promise.all(pairs.map((pair) => codePair(pair, active, highlight)));
  const node = element("div", { class: "code-pairs" }, ...nodes);
  const boxes = node.querySelectorAll("pre");
  // Lines have no place before they are on the page, and another one where they wrap anew.
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
    const label = { class: "code-text", tabindex: 0, role: "group", "aria-label": `${title}, ${path}` };
    const head = element("p", { class: "code-head" }, element("strong", {}, title), ` ${path}`);
    return element("div", { class: "code-panel" }, head, element("pre", label, element("code", {}, ...rows)));
  };
  const [file, name] = wgsl.split("#");
  const kernels = await loadMarkedShaders();
  const kernel = panel("WGSL", `shaders/${file}`, kernels.get(file) ?? "", name, "wgsl");
  if (!reference) return element("div", { class: "code-pair" }, kernel);
  const [source, declaration] = reference.split("#") as [ReferenceFile, string];
  const text = await referenceFiles[source].text();
  const referencePanel = panel("CPU reference", `src/engine/${source}`, text, declaration, "typescript");
  return element("div", { class: "code-pair" }, kernel, referencePanel);
}

function rowsOf(lines: MarkedLine[], highlightText: (text: string) => CodeToken[][], active: string[]): HTMLElement[] {
  // An excerpt's first line is one of those that stand furthest out.
  const indent = /^ */.exec(lines[0].text)![0].length;
  const lineTexts = lines.map(({ text }) => text.slice(indent));
  const tokens = highlightText(lineTexts.join("\n"));
  return lines.map(({ marks }, index) => {
    const things = marks.map((mark) => `code:${mark}`);
    const isActive = things.some((thing) => active.includes(thing));
    const row = element("span", {
      class: `code-line${isActive ? " active" : ""}`,
      style: `--indent: ${/^ */.exec(lineTexts[index])![0].length}ch`,
      "aria-current": isActive && "step",
    });
    row.append(
      ...tokens[index].map(([token, classes]) => (classes ? element("span", { class: classes }, token) : token)),
    );
    return things.length > 0 ? linkThings(row, ...things) : row;
  });
}
