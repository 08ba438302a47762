import { javascript } from "@codemirror/lang-javascript";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import type { ShaderLibrary } from "../../engine/gpu/shaders.js";
import { lineWith } from "../../engine/lines.js";
import { element } from "../element.js";
import { files } from "../kernels/twins.js";
import { wgsl as wgslLanguage } from "../wgslLanguage.js";
import { bringInSight } from "./inSight.js";
import { standsFor } from "./marks.js";

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
  twin?: Excerpt<keyof typeof files>;
  /** By the thing that the lines stand for, such as "code:sort.swap". */
  marks: Record<string, CodeMark>;
}

/** A kernel's text and its twin's side by side, with the lines marked that are at work. */
export interface CodePair {
  readonly node: HTMLElement;
  /** Marks the lines of these things as at work, and no others. */
  activate(...things: string[]): void;
}

/** The text of a kernel beside its CPU twin's. */
export function codePair(shaders: ShaderLibrary, pairing: CodePairing): CodePair {
  const { wgsl, twin, marks } = pairing;
  let active: string[] = [];
  const showActive = () => {
    for (const line of node.querySelectorAll("[data-things]")) {
      const isActive = line
        .getAttribute("data-things")!
        .split(" ")
        .some((thing) => active.includes(thing));
      line.classList.toggle("active", isActive);
      if (isActive) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    requestAnimationFrame(() => {
      for (const box of node.querySelectorAll("pre")) bringInSight(box, box.querySelector(".active"));
    });
  };
  const panel = (name: string, file: string) => {
    const code = element("code");
    const pre = element(
      "pre",
      { class: "code-text", tabindex: 0, role: "group", "aria-label": `${name}, ${file}` },
      code,
    );
    const head = element("p", { class: "code-head" }, element("strong", {}, name), ` ${file}`);
    return { code, node: element("div", { class: "code-panel" }, head, pre) };
  };
  // A text that stands on several lines of the file is meant where the excerpt has it.
  const linesOf = (side: keyof CodeMark, text: string, { first, lines }: { first: number; lines: string[] }) =>
    Object.entries(marks).flatMap(([thing, mark]) => {
      const part = mark[side];
      if (part === undefined) return [];
      const isInside = lines.some((line) => line.includes(part));
      return [{ thing, line: isInside ? first - 1 + lineWith(lines.join("\n"), part) : lineWith(text, part) }];
    });
  const kernel = panel("WGSL", `shaders/${wgsl.file}`);
  const text = shaders.get(wgsl.file) ?? "";
  const shown = excerptOf(text, wgsl.from);
  fill(kernel.code, shown, wgslLanguage.parser, linesOf("wgsl", text, shown));
  const node = element("div", { class: "code-pair" }, kernel.node);
  if (twin) {
    const other = panel("Its twin on the CPU", `src/engine/${twin.file}`);
    node.append(other.node);
    void files[twin.file].text().then((source) => {
      const { parser } = javascript({ typescript: true }).language;
      const shown = excerptOf(source, twin.from);
      fill(other.code, shown, parser, linesOf("twin", source, shown));
      showActive();
    });
  }
  return {
    node,
    activate(...things) {
      active = things;
      showActive();
    },
  };
}

/** Several parts of the code, one below the other, each beside its twin. */
export function codePairs(shaders: ShaderLibrary, ...pairings: CodePairing[]): CodePair {
  const pairs = pairings.map((pairing) => codePair(shaders, pairing));
  return {
    node: element("div", { class: "code-pairs" }, ...pairs.map(({ node }) => node)),
    activate(...things) {
      for (const pair of pairs) pair.activate(...things);
    },
  };
}

/** The lines of an excerpt, and the number of the first. */
function excerptOf(text: string, from: string): { first: number; lines: string[] } {
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

/** What a grammar does for highlighting. */
interface Parser {
  parse(text: string): Parameters<typeof highlightCode>[1];
}

function fill(
  code: HTMLElement,
  { first, lines }: { first: number; lines: string[] },
  parser: Parser,
  places: { thing: string; line: number }[],
): void {
  const text = lines.join("\n");
  const rows = lines.map((_, index) => {
    const row = element("span", { class: "code-line", "data-line": first + index });
    const things = places.filter(({ line }) => line === first + index).map(({ thing }) => thing);
    return things.length > 0 ? standsFor(row, ...things) : row;
  });
  let row = 0;
  const put = (part: string, classes: string) => {
    rows[row].append(classes ? element("span", { class: classes }, part) : part);
  };
  highlightCode(text, parser.parse(text), classHighlighter, put, () => row++);
  code.replaceChildren(...rows);
}
