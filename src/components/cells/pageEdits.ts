import { deflateRaw } from "pako";
import { inflateAtMost, TooLongError } from "../../engine/files/inflate.js";
import { count } from "../page/format.js";

/** What a reader made of a page's cells. Cells are known by the ids that Framework gives them, from their source. */
export interface PageEdits {
  /** Sources in place of the page's own, by cell. */
  edits: Record<string, string>;
  /** In the order in which they stand. */
  added: AddedCell[];
}

/** What a reader writes a cell in. */
const languages = ["js", "ts", "md"] as const;

export type CellLanguage = (typeof languages)[number];

export function isLanguage(name: string): name is CellLanguage {
  return (languages as readonly string[]).includes(name);
}

/** A cell that the reader wrote. */
export interface AddedCell {
  id: string;
  /** The page's cell below which it stands. */
  after: string;
  language: CellLanguage;
  source: string;
}

/** What the ids of cells begin with that the reader added. */
export const addedIdPrefix = "added-";

export const noEdits: PageEdits = { edits: {}, added: [] };

export function isEmpty({ edits, added }: PageEdits): boolean {
  return added.length === 0 && Object.keys(edits).length === 0;
}

/** The most that edits hold, wherever they come from, so that showing them holds no page up. */
const limits = { address: 100_000, bytes: 500_000, cells: 100, cell: 100_000 };

/**
 * The edits of one page in this browser's storage. Whatever code runs on this site can write there, cells of a link too,
 * so nobody knows whose they are when they are read.
 */
export class SavedEdits {
  readonly #key: string;

  /** @param page the page's path */
  constructor(page: string) {
    this.#key = `splatbook cells ${page}`;
  }

  /** What was kept; nothing where it cannot be read. */
  read(): PageEdits {
    try {
      return readEdits(JSON.parse(localStorage.getItem(this.#key) ?? "{}"));
    } catch {
      return noEdits;
    }
  }

  /** @throws Error of one sentence if they are too many or too large, or the browser keeps nothing more */
  write(edits: PageEdits): void {
    checkSizes(edits);
    try {
      if (isEmpty(edits)) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(edits));
    } catch {
      throw new Error("The browser's storage is full or not available, so the edits are lost when you leave the page.");
    }
  }
}

const linkKey = "#cells=";

/**
 * The part of an address that brings edits along. It stays in the browser: no server is sent it.
 * @throws Error of one sentence if who opens it would be refused them, since they are too many or too large
 */
export function editsToHash(edits: PageEdits): string {
  checkSizes(edits);
  const bytes = deflateRaw(new TextEncoder().encode(JSON.stringify(edits)));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const hash = `${linkKey}${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  checkAddress(hash);
  return hash;
}

/** Whether the part of an address is to bring edits along. */
export function hasEdits(hash: string): boolean {
  return hash.startsWith(linkKey);
}

/**
 * The edits that an address brings along, or undefined if it brings none.
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
    `Cells in a link take at most ${count(limits.address)} characters of its address; these take ${count(hash.length)}.`,
  );
}

function tooManyBytes(): SizeError {
  const allowed = count(limits.bytes);
  return new SizeError(`The edited cells of a page take at most ${allowed} bytes altogether; these take more.`);
}

function checkSizes(page: PageEdits): void {
  const { edits, added } = page;
  const sources = [...Object.values(edits), ...added.map(({ source }) => source)];
  if (sources.length > limits.cells) {
    throw new SizeError(
      `At most ${limits.cells} cells of a page are edited or added; these are ${count(sources.length)}.`,
    );
  }
  const longest = Math.max(0, ...sources.map(({ length }) => length));
  if (longest > limits.cell) {
    throw new SizeError(
      `An edited cell has at most ${count(limits.cell)} characters; one of these has ${count(longest)}.`,
    );
  }
  if (new TextEncoder().encode(JSON.stringify(page)).length > limits.bytes) throw tooManyBytes();
}

function readEdits({ edits = {}, added = [] }: Partial<PageEdits>): PageEdits {
  if (typeof edits !== "object") throw new Error("not edits");
  const isText = (value: unknown) => typeof value === "string";
  const isCell = ({ id, after, language, source }: AddedCell) =>
    [id, after, source].every(isText) && isLanguage(language);
  // No id of the page's own, and none twice.
  const hasValidIds = () =>
    added.every(({ id }) => id.startsWith(addedIdPrefix)) && new Set(added.map(({ id }) => id)).size === added.length;
  if (!Object.values(edits).every(isText) || !added.every(isCell) || !hasValidIds()) throw new Error("not edits");
  const read = {
    edits: { ...edits },
    added: added.map(({ id, after, language, source }) => ({ id, after, language, source })),
  };
  checkSizes(read);
  return read;
}
