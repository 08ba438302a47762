import { posix } from "node:path";
import { slugifyWithCounter } from "@sindresorhus/slugify";
import type MarkdownIt from "markdown-it";
import { cellsOf } from "./pageSource.js";
import { type TranspiledCell, transpileScript } from "./transpile.js";

/** A figure of a page, with its cell. */
interface PageFigure {
  /** The id of its anchor in the page. */
  id: string;
  /** Several if one cell makes several charts. */
  titles: string[];
  /** Its first line in the page, from 0. */
  line: number;
  /** The source of the cell. */
  source: string;
  /** The names that the cell needs imported, by the module's path from the site's root. */
  imports: [module: string, names: string[]][];
  /** The names that the cell uses from other cells of the page. */
  uses: string[];
}

/** Returns the text of a file, by its path below src/. */
type ReadSource = (path: string) => string;

interface Cell extends TranspiledCell {
  line: number;
  source: string;
}

/**
 * Returns the figures of a page in order: those that cells make by `figure({title: …})`, charts with a subtitle or a
 * label, imported functions that call `figure`, and elements with a `figcaption` in the page's text.
 * @param path the page's path below src/
 */
export function figuresOf(markdown: string, path: string, read: ReadSource): PageFigure[] {
  const cells = cellsOf(markdown)
    .filter(({ language }) => language === "js")
    .flatMap(({ source, lines: [line] }): Cell[] => {
      try {
        return [{ line, source, ...transpileScript(source) }];
      } catch {
        // Framework shows the syntax error in the page.
        return [];
      }
    });
  const imports = cells.flatMap(({ source }) => importsOf(source));
  const imported = new Set(imports.flatMap(([, names]) => names));
  const ownNames = new Set(cells.flatMap(({ outputs }) => outputs).filter((name) => !imported.has(name)));
  const makers = titlesByMaker(new Set(imports.map(([module]) => posix.join(path, "..", module))), read);
  const found = [...findShownFigures(cells, markdown, makers), ...findCaptionedFigures(cells, markdown)].sort(
    (a, b) => a.line - b.line,
  );
  const slugify = slugifyWithCounter();
  return found.map(({ titles, line, cell: { source, inputs } }) => {
    const neededImports = imports.map(([module, names]): [string, string[]] => [
      posix.join("/", path, "..", module),
      names.filter((name) => inputs.includes(name)),
    ]);
    return {
      id: `figure-${slugify(titles[0])}`,
      titles,
      line,
      source,
      imports: neededImports.filter(([, names]) => names.length > 0),
      uses: inputs.filter((name) => ownNames.has(name)),
    };
  });
}

interface FoundFigure {
  titles: string[];
  line: number;
  cell: Cell;
}

/** Returns the cells that display a figure. A chart belongs to the cell that displays it, not to the one that defines it. */
function findShownFigures(cells: Cell[], markdown: string, makers: Makers): FoundFigure[] {
  const lines = markdown.split("\n");
  const headingAt = (line: number) => /^#+ (.+)$/.exec(lines.slice(0, line).findLast((text) => /^#+ /.test(text))!)![1];
  const pendingTitles = new Map<string, string[]>();
  return cells.flatMap((cell) => {
    const { source, inputs, outputs, line } = cell;
    const calledMakers = inputs.filter((name) => makers.has(name) && source.includes(`${name}(`));
    const titles = [...calledMakers.map((name) => makers.get(name) ?? headingAt(line)), ...titlesIn(source)];
    if (!inputs.includes("display") && !inputs.includes("view")) {
      if (titles.length > 0) for (const name of outputs) pendingTitles.set(name, titles);
      return [];
    }
    const definedTitles = inputs.flatMap((name) => pendingTitles.get(name) ?? []);
    for (const name of inputs) pendingTitles.delete(name);
    const all = [...new Set([...titles, ...definedTitles])];
    return all.length > 0 ? [{ titles: all, line, cell }] : [];
  });
}

/** Returns the elements with a caption in the page's text, with the first cell that displays something in them. */
function findCaptionedFigures(cells: Cell[], markdown: string): FoundFigure[] {
  const found = new Map<Cell, FoundFigure>();
  for (const [line, text] of markdown.split("\n").entries()) {
    const title = /<figcaption><strong>([^<]+)/.exec(text)?.[1];
    const cell = cells.find((cell) => cell.line > line && cell.inputs.includes("display"));
    if (!title || !cell) continue;
    const { titles } = found.get(cell) ?? found.set(cell, { titles: [], line, cell }).get(cell)!;
    titles.push(title);
  }
  return [...found.values()];
}

/** Returns the titles of figures in a source, without expressions; none that begins with one. */
function titlesIn(source: string): string[] {
  const patterns = [/figure\(\s*\{\s*title: (["`])(.+?)\1/g, /subtitle: (["`])(.+?)\1/g, /ariaLabel: (["`])(.+?)\1/g];
  const [titles = []] = patterns
    .map((pattern) => Array.from(source.matchAll(pattern), ([, , title]) => title))
    .filter(({ length }) => length > 0);
  return titles
    .map((title) => title.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…").replace(/,? \w+ …$/, ""))
    .filter((title) => !title.startsWith("…"));
}

/** Titles of figures by the name of the function that makes them; undefined if the title depends on its options. */
type Makers = ReadonlyMap<string, string | undefined>;

/** Returns the functions that make a figure among the exports of modules such as "learn/tiles.js". */
function titlesByMaker(modules: Iterable<string>, read: ReadSource): Makers {
  const makers = new Map<string, string | undefined>();
  for (const module of modules) {
    const exports = read(module.replace(/\.js$/, ".ts")).matchAll(/^export \{([^}]+)\} from "(\..+)\.js";$/gm);
    for (const [, names, path] of exports) {
      const name = posix.basename(path);
      if (!names.match(/\w+/g)!.includes(name)) continue;
      const call = /\bfigure\(\s*\{\s*title: (?:"(.+)")?/.exec(read(posix.join(module, "..", `${path}.ts`)));
      if (call) makers.set(name, call[1]);
    }
  }
  return makers;
}

/** Returns the names that a cell imports from modules of the site. */
function importsOf(source: string): [module: string, names: string[]][] {
  const lists = source.matchAll(/^import \{([^}]+)\} from "(\..+)";$/gm);
  return Array.from(lists, ([, names, module]) => [module, names.match(/\w+/g)!]);
}

/** Adds an anchor above each figure of a page, with a disclosure that holds the source of the figure's cell. */
export function figureRule(markdown: MarkdownIt, read: ReadSource): void {
  markdown.core.ruler.after("prose", "figures", ({ tokens, src, env, Token }) => {
    if (typeof env.path !== "string") return;
    const path = env.path.slice(1);
    const html = (content: string) => Object.assign(new Token("html_block", "", 0), { content, block: true });
    const listing = (content: string) =>
      Object.assign(new Token("fence", "code", 0), { info: "js run=false", content, block: true });
    for (const { id, titles, line, source, imports, uses } of figuresOf(src, path, read).reverse()) {
      const at = tokens.findIndex(({ level, map }) => level === 0 && map && map[0] <= line && line < map[1]);
      const [title] = titles.map(markdown.utils.escapeHtml);
      const names = uses.map((name) => `<code>${name}</code>`).join(", ");
      tokens.splice(
        at,
        0,
        html(`<div class="figure-anchor" id="${id}">
<a href="#${id}">#<span class="visually-hidden"> A link to ${title}</span></a>
<details><summary>In a cell<span class="visually-hidden">: ${title}</span></summary>\n`),
        listing(source),
        html(
          `<p>${names ? `This cell uses ${names} from other cells of this page. ` : ""}${imports.length > 0 ? "On another page, it begins with" : ""}</p>\n`,
        ),
        ...(imports.length > 0 ? [listing(imports.map(importStatement).join("\n"))] : []),
        html("</details></div>\n"),
      );
    }
  });
}

function importStatement([module, names]: [string, string[]]): string {
  return `import {${names.join(", ")}} from "${module}";`;
}

/** Returns the relative path from a page to the site's root. */
export function pathToRoot(path: string): string {
  return "../".repeat(path.split("/").length - 1) || "./";
}
