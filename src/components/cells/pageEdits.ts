import { count, counted } from "../page/format.js";

/** A reader's edits of a page. Cells are identified by Framework's ids, which are hashes of their source. */
export interface PageEdits {
  /** Edited sources by cell; "" for a deleted one. */
  edits: Record<string, string>;
  /** In the order of the page. */
  added: AddedCell[];
}

export type CellLanguage = "js" | "ts";

/** A cell that the reader added. */
export interface AddedCell {
  id: string;
  /** The id of the page's cell that it follows, or "". */
  after: string;
  /** The id of the page's cell that it precedes, if it follows none. */
  before?: string;
  language: CellLanguage;
  source: string;
}

/** The prefix of the ids of added cells. */
export const addedIdPrefix = "added-";

export const noEdits: PageEdits = { edits: {}, added: [] };

export function isEmpty({ edits, added }: PageEdits): boolean {
  return added.length === 0 && Object.keys(edits).length === 0;
}

/** Returns their numbers: "1 cell changed, 2 added". */
export function describe({ edits, added }: PageEdits): string {
  const changed = Object.keys(edits).length;
  const parts = [changed > 0 && `${counted(changed, "cell")} changed`, added.length > 0 && `${added.length} added`];
  return parts.filter(Boolean).join(", ");
}

/** Limits on edits from any source, so that listing them does not block a page. */
export const limits = { cells: 100, bytes: 500_000 };

const storageKey = () => `splatbook cells ${location.pathname.replace(/(index)?\.html$/, "")}`;
export const linkKey = "#cells=";

/** Returns whether a hash contains edits. */
export function hasEdits(hash: string): boolean {
  return hash.startsWith(linkKey);
}

/**
 * Returns the edits of this page in this browser's storage; none if they cannot be read. Any code on this site can write
 * there, including cells of a link, so their author is unknown.
 */
export function savedEdits(): PageEdits {
  try {
    return readEdits(localStorage.getItem(storageKey()) ?? "{}");
  } catch {
    return noEdits;
  }
}

/** @throws Error of one sentence if they are too large, or the browser cannot store them */
export function saveEdits(edits: PageEdits): void {
  const text = writeEdits(edits);
  try {
    if (isEmpty(edits)) localStorage.removeItem(storageKey());
    else localStorage.setItem(storageKey(), text);
  } catch {
    throw new Error("The browser's storage is full or not available, so the edits are lost when you leave the page.");
  }
}

/** @throws Error of one sentence if they are too large to be read */
export function writeEdits(edits: PageEdits): string {
  const text = JSON.stringify(edits);
  const { length } = [...Object.keys(edits.edits), ...edits.added];
  if (length <= limits.cells && new TextEncoder().encode(text).length <= limits.bytes) return text;
  throw new Error(`Edits of a page can have at most ${limits.cells} cells and ${count(limits.bytes)} bytes in all.`);
}

/** @throws Error if a text is not that of edits, or they are too large */
export function readEdits(text: string): PageEdits {
  const { edits = {}, added: given = [] }: Partial<PageEdits> = JSON.parse(text);
  const added: AddedCell[] = [];
  for (const cell of given) {
    // Earlier versions named the added cell that it follows.
    const { after, before } = added.find(({ id }) => id === cell.after) ?? cell;
    added.push({ ...inJavaScript(cell), after, before });
  }
  // No id of the page's own cells, and no duplicates.
  const ids = new Set(added.map(({ id }) => id).filter((id) => id.startsWith(addedIdPrefix)));
  const texts = added.flatMap(({ after, before = "", source }) => [after, before, source]);
  const areTexts = [...Object.values(edits), ...texts].every((text) => typeof text === "string");
  const areLanguages = added.every(({ language }) => /^[jt]s$/.test(language));
  if (typeof edits !== "object" || ids.size < added.length || !areTexts || !areLanguages) throw new Error("not edits");
  writeEdits({ edits, added });
  return { edits, added };
}

/** Returns a cell of an earlier version in JavaScript: Markdown as a template, SQL as an error with the alternative. */
function inJavaScript(cell: AddedCell): AddedCell {
  const language: string = cell.language;
  const source = String(cell.source);
  if (language === "md") {
    const escaped = source.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}|[`\\]/g, (part) =>
      part.length > 1 ? part : `\\${part}`,
    );
    return { ...cell, language: "js", source: `md\`${escaped}\`` };
  }
  if (language !== "sql") return cell;
  const failure = "throw new Error('SQL cells were removed: download the table as Arrow, and query it in DuckDB.');";
  return { ...cell, language: "js", source: `${failure}\n// ${source.replaceAll("\n", "\n// ")}` };
}
