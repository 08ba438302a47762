import { lineWith } from "../../engine/lines.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import type { CodePart, highlight } from "../editor/highlight.js";
import { files } from "../kernels/twins.js";
import type { TwinFile } from "../kernels/twinTable.js";
import { element } from "../page/element.js";
import { bringInSight } from "./inSight.js";
import { standsFor } from "./pointed.js";

/** A part of a file: from the line that holds `from`, through the line that closes what it opens. */
export interface Excerpt<File extends string = string> {
  file: File;
  /** A text that stands on one line of the file alone, such as "fn bitonicSort". */
  from: string;
}

/** Where a thing is done: a text on one line of the WGSL excerpt, and one on a line of the twin's. */
export interface CodeMark {
  wgsl?: string;
  twin?: string;
}

/** A kernel's part, its twin's, and what is done where. */
export interface CodePairing {
  wgsl: Excerpt;
  twin?: Excerpt<TwinFile>;
  /** By the thing that the lines stand for, such as "code:sort.swap". */
  marks: Record<string, CodeMark>;
}

/**
 * The text of kernels, each beside its twin's on the CPU, for a cell that waits for it.
 * @param active the things whose lines are at work and are marked
 */
export async function codePairs(
  shaders: ShaderLibrary,
  pairings: CodePairing[],
  ...active: string[]
): Promise<HTMLElement> {
  const { highlight } = await import("../editor/highlight.js");
  const pairs = await Promise.all(pairings.map((pairing) => pairOf(shaders, pairing, active, highlight)));
  const node = element("div", { class: "code-pairs" }, ...pairs);
  const boxes = node.querySelectorAll("pre");
  // Lines have no place before they are on the page, and another one where they wrap anew.
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) bringInSight(target, ...target.querySelectorAll(".active"));
  });
  for (const box of boxes) sizes.observe(box);
  for (const box of boxes) {
    box.addEventListener("marked", () => {
      if (!box.matches(":hover")) bringInSight(box, ...box.querySelectorAll(".marked"));
    });
  }
  return node;
}

async function pairOf(
  shaders: ShaderLibrary,
  { wgsl, twin, marks }: CodePairing,
  active: string[],
  colored: typeof highlight,
): Promise<HTMLElement> {
  // A text that stands on several lines of the file is meant where the excerpt has it.
  const linesOf = (side: keyof CodeMark, text: string, { first, lines }: Lines) =>
    Object.entries(marks).flatMap(([thing, mark]) => {
      const part = mark[side];
      if (part === undefined) return [];
      const isInside = lines.some((line) => line.includes(part));
      return [{ thing, line: isInside ? first - 1 + lineWith(lines.join("\n"), part) : lineWith(text, part) }];
    });
  const panel = (
    name: string,
    file: string,
    side: keyof CodeMark,
    text: string,
    from: string,
    language: "wgsl" | "typescript",
  ) => {
    const shown = excerptOf(text, from);
    const rows = rowsOf(shown, (text) => colored(text, language), linesOf(side, text, shown), active);
    const label = { class: "code-text", tabindex: 0, role: "group", "aria-label": `${name}, ${file}` };
    const head = element("p", { class: "code-head" }, element("strong", {}, name), ` ${file}`);
    return element("div", { class: "code-panel" }, head, element("pre", label, element("code", {}, ...rows)));
  };
  const text = shaders.get(wgsl.file) ?? "";
  const kernel = panel("WGSL", `shaders/${wgsl.file}`, "wgsl", text, wgsl.from, "wgsl");
  if (!twin) return element("div", { class: "code-pair" }, kernel);
  const source = await files[twin.file].text();
  const name = "Its twin on the CPU";
  const other = panel(name, `src/engine/${twin.file}`, "twin", source, twin.from, "typescript");
  return element("div", { class: "code-pair" }, kernel, other);
}

interface Lines {
  first: number;
  lines: string[];
}

/** The lines of an excerpt, and the number of the first. */
function excerptOf(text: string, from: string): Lines {
  const first = lineWith(text, from);
  const all = text.split("\n");
  const indent = /^\s*/.exec(all[first - 1])![0];
  // An opening line that closes itself, such as a declaration, is all of it.
  const closes = new RegExp(`^${indent}[)}\\]]`);
  const isOpen = /[[({,]\s*$/.test(all[first - 1]);
  let last = first;
  if (isOpen) while (last < all.length && !(closes.test(all[last]) && !/[{(]\s*$/.test(all[last]))) last++;
  return { first, lines: all.slice(first - 1, isOpen ? last + 1 : last) };
}

function rowsOf(
  { first, lines }: Lines,
  colored: (text: string) => CodePart[][],
  places: { thing: string; line: number }[],
  active: string[],
): HTMLElement[] {
  // An excerpt's first line is one of those that stand furthest out.
  const margin = /^ */.exec(lines[0])![0].length;
  const shown = lines.map((line) => line.slice(margin));
  const parts = colored(shown.join("\n"));
  return shown.map((line, index) => {
    const things = places.filter(({ line }) => line === first + index).map(({ thing }) => thing);
    const isActive = things.some((thing) => active.includes(thing));
    const row = element("span", {
      class: `code-line${isActive ? " active" : ""}`,
      style: `--indent: ${/^ */.exec(line)![0].length}ch`,
      "data-line": first + index,
      "aria-current": isActive && "step",
    });
    row.append(...parts[index].map(([part, classes]) => (classes ? element("span", { class: classes }, part) : part)));
    return things.length > 0 ? standsFor(row, ...things) : row;
  });
}
