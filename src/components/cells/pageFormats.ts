import { changedFields, completeConfig, type TrainConfig } from "../../engine/config.js";
import type { Run } from "../training/run.js";
import { type AddedCell, addedIdPrefix, isLanguage, type PageEdits, readEdits } from "./pageEdits.js";
import { cellsOf } from "./pageSource.js";

/** A cell of a page or of a file. */
interface PageCell {
  /** Framework's id in a page. Absent in Markdown. */
  id?: string;
  /** As in `cellsOf`. */
  language: string;
  source: string;
  /** Whether the code is shown. */
  echo?: boolean;
}

/** A page with its title and cells, those of the reader included. */
interface Page {
  title: string;
  cells: readonly PageCell[];
}

/**
 * Returns the cells of a page with the reader's edits, in order.
 * @param ids those of the page's own cells
 */
export function editedCells(markdown: string, ids: readonly string[], { edits, added }: PageEdits): PageCell[] {
  return cellsOf(markdown).flatMap(({ language, source, echo }, index) => {
    const id = ids[index];
    return [{ id, language, source: edits[id] ?? source, echo }, ...added.filter(({ after }) => after === id)];
  });
}

/** The types of Notebook Kit's cells. https://observablehq.com/notebook-kit/kit#the-notebook-file-format */
const kitTypes: Record<string, string> = {
  js: "module",
  ts: "text/x-typescript",
  md: "text/markdown",
  html: "text/html",
  tex: "application/x-tex",
  dot: "text/vnd.graphviz",
  sql: "application/sql",
};

/**
 * Returns a page as a file of Observable Notebook Kit. A cell's id is its number in the page.
 * @param ownIds those of the page's own cells, in order; other cells follow in numbers
 */
export function writeNotebookKit({ title, cells }: Page, ownIds: readonly string[]): string {
  let last = ownIds.length;
  const scripts = cells
    .filter(({ language }) => language in kitTypes)
    .map(({ id = "", language, source, echo }) => {
      const own = ownIds.indexOf(id);
      const text = source.replace(/<(?=\\*\/script(\s|>))/gi, "<\\").replace(/^(?=.*\S)/gm, "    ");
      const attributes = `id="${own < 0 ? ++last : own + 1}" type="${kitTypes[language]}"${echo ? " pinned" : ""}`;
      return `  <script ${attributes}>\n${text}\n  </script>\n`;
    });
  const escapedTitle = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>\n<notebook theme="air">\n  <title>${escapedTitle}</title>\n${scripts.join("")}</notebook>\n`;
}

function readNotebookKit(text: string, ownIds: readonly string[]): PageCell[] {
  const scripts = text.matchAll(/<script\b([^>]*)>(.*?)<\/script\s*>/gis);
  return Array.from(scripts, ([, attributes, contents]) => {
    const [type, id] = ["type", "id"].map((name) => new RegExp(`\\b${name}=["']?([^"'\\s]*)`).exec(attributes)?.[1]);
    const [language = "js"] = Object.entries(kitTypes).find(([, kitType]) => kitType === type) ?? [];
    const lines = contents.replace(/<\\(?=\\*\/script(\s|>))/gi, "<").split(/\r?\n/);
    if (lines.at(-1)?.trim() === "") lines.pop();
    if (lines[0]?.trim() === "") lines.shift();
    const source = lines.map((line) => line.replace(/^ {4}/, "")).join("\n");
    return { ...(id && { id: ownIds[Number(id) - 1] ?? "" }), language, source };
  });
}

/** A run of a page, with the path of its image from the notebook's folder. */
type PageRun = Pick<Run, "config" | "target"> & { file: string };

/** Matches code that needs a page: its elements, inputs, files and modules. */
const needsPage =
  /\b(view|FileAttachment|Inputs|Generators|document|window|invalidation)\b|\b(html|svg)`|\bfrom\s*"\.|^\s*import\s*"\./m;

/**
 * Returns a page as a Jupyter notebook for the kernel of Deno. The page's own code needs the page, so its cells are raw and
 * folded. The reader's cells run, after a cell that trains like the page.
 * https://nbformat.readthedocs.io/en/latest/format_description.html
 * @param run that of the page, if it has one
 */
export function writeJupyter({ title, cells }: Page, run?: PageRun): string {
  const training = run ? [{ id: trainingId, language: "ts", source: trainingCell(run) }] : [];
  const notebook = {
    metadata: {
      kernelspec: { name: "deno", display_name: "Deno", language: "typescript" },
      language_info: { name: "typescript", file_extension: ".ts", mimetype: "text/x.typescript" },
      title,
    },
    nbformat: 4,
    nbformat_minor: 5,
    cells: [...training, ...cells].map(({ id, language, source }) => {
      const common = { id, source: source.split(/(?<=\n)/) };
      const metadata = { splatbook: { language } };
      if (language === "md") return { cell_type: "markdown", ...common, metadata };
      const isOwn = id?.startsWith(addedIdPrefix) && /^[jt]s$/.test(language) && !needsPage.test(source);
      if (isOwn || id === trainingId)
        return { cell_type: "code", execution_count: null, outputs: [], ...common, metadata };
      return { cell_type: "raw", ...common, metadata: { ...metadata, jupyter: { source_hidden: true } } };
    }),
  };
  return `${JSON.stringify(notebook, undefined, 1)}\n`;
}

/** The id of the cell that trains in a notebook. The page has its own. */
const trainingId = "training";

/** Returns a cell that trains with the settings of a run in Deno, and declares the values of the lab. */
function trainingCell({ config, target, file }: PageRun): string {
  // The machine decides on the pipeline.
  const { pipeline: _, gaussiansPerBlock: _g, ...own } = config;
  const { preset, blobs } = config;
  const settings = { preset, blobs, ...changedFields(own as TrainConfig, completeConfig({ preset, blobs })) };
  const { width, height } = target.image;
  return `// Trains with the settings of the page. The cells of the page itself are folded: they need a browser.
import * as PlotLibrary from "@observablehq/plot";
import { JSDOM } from "jsdom";
import sharp from "sharp";
import { openEngine, train } from "splatbook";

const pixels = sharp(${JSON.stringify(file)}).rotate().flatten({ background: "white" }).ensureAlpha();
const { data } = await pixels.resize(${width}, ${height}, { fit: "fill" }).raw().toBuffer({ resolveWithObject: true });
const image = { width: ${width}, height: ${height}, data: new Uint8ClampedArray(data) };

const run = train({ engine: await openEngine(), image, ...${JSON.stringify(settings, undefined, 2)} });
const snapshot = await run.finished;
const latest = async (values) => (await values.next()).value;
const [metrics, parameters, gradients, render] = await Promise.all(
  [run.metrics(), run.parameters(), run.gradients(), run.renders()].map(latest),
);

// Charts are SVG, drawn in a document that no page shows.
const { document } = new JSDOM().window;
const plot = (options) => {
  const chart = PlotLibrary.plot({ document, style: { background: "white", color: "black" }, ...options });
  chart.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return chart;
};
PlotLibrary.Mark.prototype.plot = function (options) {
  return plot({ ...options, marks: [...(options?.marks ?? []), this] });
};
const Plot = { ...PlotLibrary, plot };
const display = (value) => void Deno.jupyter.display(value);

const { width, height } = image;
const drawn = await sharp(render.image.data, { raw: { width, height, channels: 4 } }).png().toBuffer();
console.log(\`\${metrics.get(metrics.numRows - 1).psnr.toFixed(1)} dB after \${snapshot.step} steps\`);
await Deno.jupyter.display({ "image/png": drawn.toString("base64") }, { raw: true });`;
}

interface JupyterCell {
  cell_type: string;
  id?: string;
  metadata?: { splatbook?: { language?: string } };
  source: string | string[];
}

function readJupyter(text: string): PageCell[] {
  const { cells }: { cells: JupyterCell[] } = JSON.parse(text);
  const own = cells.filter(({ id }) => id !== trainingId);
  return own.map(({ cell_type, id, metadata, source }) => {
    const language = metadata?.splatbook?.language ?? (cell_type === "code" ? "ts" : "");
    return { id, language: cell_type === "markdown" ? "md" : language, source: [source].flat().join("") };
  });
}

/**
 * Returns the edits that make a page the one in a file: Markdown, or a file of `writeNotebookKit` or `writeJupyter`.
 * @param ids those of the page's own cells
 * @throws Error of one sentence if the file is not a page, or its edits are too large
 */
export function editsOfFile(name: string, text: string, markdown: string, ids: readonly string[]): PageEdits {
  const own = cellsOf(markdown).map((cell, index) => ({ ...cell, id: ids[index] }));
  let cells: PageCell[];
  try {
    if (/\.ipynb$/i.test(name)) cells = readJupyter(text);
    else cells = /\.html?$/i.test(name) ? readNotebookKit(text, ids) : cellsOf(text);
    if (cells.length === 0) throw new Error("no cells");
  } catch {
    throw new Error(`${name} is not a page: it must be Markdown, a notebook of Notebook Kit, or a Jupyter notebook.`);
  }
  return readEdits(editsBetween(own, cells));
}

/** Returns the edits that turn a page's cells into others. The page's own cells cannot be removed. */
function editsBetween(own: readonly Required<PageCell>[], cells: readonly PageCell[]): PageEdits {
  const edits: Record<string, string> = {};
  const added: AddedCell[] = [];
  const common = commonCells(own, cells);
  // The cells of another page are all new.
  let [next, start] = [common.length > 0 ? 0 : own.length, 0];
  for (const [ownEnd, end] of [...common, [own.length, cells.length]]) {
    // Between two cells that are in both, each is a changed one, by its id or else by its language, or a new one.
    for (const { id, language, source } of cells.slice(start, end)) {
      const changed = own.findIndex(
        (cell, i) => next <= i && i < ownEnd && cell.language === language && (id === undefined || cell.id === id),
      );
      if (changed >= 0) {
        if (isLanguage(language)) edits[own[changed].id] = source;
        next = changed + 1;
      } else if (isLanguage(language)) {
        const after = own[Math.max(0, next - 1)].id;
        added.push({ id: `${addedIdPrefix}file-${added.length}`, after, language, source });
      }
    }
    [next, start] = [ownEnd + 1, end + 1];
  }
  return { edits, added };
}

/** Returns the positions of a longest common subsequence of two lists of cells. */
function commonCells(a: readonly PageCell[], b: readonly PageCell[]): [number, number][] {
  const isSame = (i: number, j: number) => a[i].language === b[j].language && a[i].source === b[j].source;
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i][j] = isSame(i, j) ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const positions: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (isSame(i, j)) positions.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return positions;
}
