import { count, counted } from "../page/format.js";

/** A reader's edits of a page. Cells are identified by Framework's ids, which are hashes of their source. */
export interface PageEdits {
  /** Edited sources by cell; "" for a deleted one. */
  edits: Record<string, string>;
  /** In the order of the page. */
  added: AddedCell[];
}

/** A cell that the reader added. */
export interface AddedCell {
  /** The id of the page's cell that it follows, or "". */
  after: string;
  /** The id of the page's cell that it precedes if it follows none, or "". */
  before: string;
  source: string;
}

/** Limits on edits from any source, so that listing them does not block a page. */
export const limits = { cells: 100, bytes: 500_000 };

/** What the hash of a link with edits begins with. */
export const linkKey = "#cells=";

const storageKey = () => `splatbook cells ${location.pathname.replace(/(index)?\.html$/, "")}`;

/** Returns the number of edited cells: "2 edited cells". */
export const describe = (edits: PageEdits) => counted(sizeOf(edits), "edited cell");

export const sizeOf = ({ edits, added }: PageEdits) => Object.keys(edits).length + added.length;

/**
 * Returns the edits of this page in this browser's storage; none if they cannot be read. Any code on this site can write
 * there, including cells of a link, so their author is unknown.
 */
export function savedEdits(): PageEdits {
  try {
    return readEdits(localStorage.getItem(storageKey()) ?? "{}");
  } catch {
    return { edits: {}, added: [] };
  }
}

/** Returns whether the edits are saved: they may be too large, or the browser's storage full or not available. */
export function saveEdits(edits: PageEdits): boolean {
  try {
    if (sizeOf(edits) > 0) localStorage.setItem(storageKey(), writeEdits(edits));
    else localStorage.removeItem(storageKey());
    return true;
  } catch {
    return false;
  }
}

/** @throws Error of one sentence if they are too large to be read */
export function writeEdits(edits: PageEdits): string {
  const text = JSON.stringify(edits);
  if (sizeOf(edits) <= limits.cells && new TextEncoder().encode(text).length <= limits.bytes) return text;
  throw new Error(`Edits of a page can have at most ${limits.cells} cells and ${count(limits.bytes)} bytes in all.`);
}

/** @throws Error if a text is not that of edits, or they are too large */
export function readEdits(text: string): PageEdits {
  const { edits = {}, added: given = [] }: Partial<PageEdits> = JSON.parse(text);
  const added: AddedCell[] = [];
  // Earlier versions gave ids to added cells, and named the one that a cell follows.
  const places = new Map<unknown, AddedCell>();
  for (const { id, language, ...cell } of given as (AddedCell & { id?: string; language?: string })[]) {
    const { after = "", before = "" } = places.get(cell.after) ?? cell;
    const place = { after: String(after), before: String(before), source: codeOf(String(cell.source), language) };
    places.set(id, place);
    added.push(place);
  }
  const texts = Object.entries(edits).map(([id, source]) => [id, String(source)]);
  const read = { edits: Object.fromEntries(texts), added };
  writeEdits(read);
  return read;
}

/** Returns code. Earlier versions had cells of Markdown, which becomes a template, and SQL, which names the alternative. */
function codeOf(source: string, language?: string): string {
  const escaped = (part: string) => (part.length > 1 ? part : `\\${part}`);
  if (language === "md") return `md\`${source.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}|[`\\]/g, escaped)}\``;
  if (language !== "sql") return source;
  const failure = "throw new Error('SQL cells were removed: download the table as Arrow, and query it in DuckDB.');";
  return `${failure}\n// ${source.replaceAll("\n", "\n// ")}`;
}
