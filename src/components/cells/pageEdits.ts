import { deflateRaw } from "pako";
import { inflateAtMost, TooLongError } from "../../engine/files/inflate.js";
import { count } from "../page/format.js";

/** A reader's edits of a page. Cells are identified by Framework's ids, which are hashes of their source. */
export interface PageEdits {
  /** Edited sources by cell. */
  edits: Record<string, string>;
  /** In the order of the page. */
  added: AddedCell[];
}

export type CellLanguage = "js" | "ts";

/** A cell that the reader added. */
export interface AddedCell {
  id: string;
  /** The id of the cell that precedes it. */
  after: string;
  /** The id of the cell that follows it, if none precedes it in its card. */
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

/** Limits on edits from any source, so that listing them does not block a page. */
const limits = { address: 100_000, bytes: 500_000, cells: 100, cell: 100_000 };

const storageKey = () => `splatbook cells ${location.pathname.replace(/(index)?\.html$/, "")}`;

/**
 * Returns the edits of this page in this browser's storage; none if they cannot be read. Any code on this site can write
 * there, including cells of a link, so their author is unknown.
 */
export function savedEdits(): PageEdits {
  try {
    return readEdits(JSON.parse(localStorage.getItem(storageKey()) ?? "{}"));
  } catch {
    return noEdits;
  }
}

/** @throws Error of one sentence if there are too many, they are too large, or the browser cannot store them */
export function saveEdits(edits: PageEdits): void {
  checkSizes(edits);
  try {
    if (isEmpty(edits)) localStorage.removeItem(storageKey());
    else localStorage.setItem(storageKey(), JSON.stringify(edits));
  } catch {
    throw new Error("The browser's storage is full or not available, so the edits are lost when you leave the page.");
  }
}

const linkKey = "#cells=";

/**
 * Returns the hash of a link that contains edits. Browsers send no hash to a server.
 * @throws Error of one sentence if there are too many or they are too large to be opened
 */
export function editsToHash(edits: PageEdits): string {
  checkSizes(edits);
  const bytes = deflateRaw(new TextEncoder().encode(JSON.stringify(edits)));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const hash = `${linkKey}${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  checkAddress(hash);
  return hash;
}

/** Returns whether a hash contains edits. */
export function hasEdits(hash: string): boolean {
  return hash.startsWith(linkKey);
}

/**
 * Returns the edits that a hash contains, or undefined if it contains none.
 * @throws Error of one sentence if they are damaged, too many or too large
 */
export function editsFromHash(hash: string): PageEdits | undefined {
  if (!hasEdits(hash)) return undefined;
  checkAddress(hash);
  try {
    const text = hash.slice(linkKey.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return readEdits(JSON.parse(new TextDecoder().decode(inflateAtMost(bytes, limits.bytes))));
  } catch (error) {
    if (error instanceof SizeError) throw error;
    if (error instanceof TooLongError) throw tooManyBytes();
    throw new Error("The cells in this link are damaged or truncated, so the page is shown without them.");
  }
}

class SizeError extends Error {}

function checkAddress(hash: string): void {
  if (hash.length <= limits.address) return;
  throw new SizeError(
    `Cells in a link can take at most ${count(limits.address)} characters (got ${count(hash.length)}).`,
  );
}

function tooManyBytes(): SizeError {
  return new SizeError(
    `The edited cells of a page can take at most ${count(limits.bytes)} bytes in all; these take more.`,
  );
}

function checkSizes(page: PageEdits): void {
  const { edits, added } = page;
  const sources = [...Object.values(edits), ...added.map(({ source }) => source)];
  if (sources.length > limits.cells) {
    throw new SizeError(
      `At most ${limits.cells} cells of a page can be edited or added (got ${count(sources.length)}).`,
    );
  }
  const longest = Math.max(0, ...sources.map(({ length }) => length));
  if (longest > limits.cell) {
    throw new SizeError(`An edited cell can have at most ${count(limits.cell)} characters (got ${count(longest)}).`);
  }
  if (new TextEncoder().encode(JSON.stringify(page)).length > limits.bytes) throw tooManyBytes();
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

/**
 * Returns edits from any source, once checked.
 * @throws Error of one sentence if they are too many or too large, or of another form
 */
function readEdits({ edits = {}, added: given = [] }: Partial<PageEdits>): PageEdits {
  if (typeof edits !== "object") throw new Error("not edits");
  const added = given.map(inJavaScript);
  const isCell = ({ id, after, before = "", language, source }: AddedCell) =>
    [id, after, before, source].every((text) => typeof text === "string") && /^[jt]s$/.test(language);
  // No id of the page's own cells, and no duplicates.
  const hasValidIds = () =>
    added.every(({ id }) => id.startsWith(addedIdPrefix)) && new Set(added.map(({ id }) => id)).size === added.length;
  const areTexts = Object.values(edits).every((source) => typeof source === "string");
  if (!areTexts || !added.every(isCell) || !hasValidIds()) throw new Error("not edits");
  const read = {
    edits: { ...edits },
    added: added.map(({ id, after, before, language, source }) => ({ id, after, before, language, source })),
  };
  checkSizes(read);
  return read;
}
