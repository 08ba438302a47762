import { deflateRaw, inflateRaw } from "pako";
import type { CellLanguage } from "./pageSource.js";

/** What a reader made of a page's cells. Cells are known by the ids that Framework gives them, from their source. */
export interface PageEdits {
  /** Sources in place of the page's own, by cell. */
  edits: Record<string, string>;
  /** In the order in which they stand. */
  added: AddedCell[];
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
export const addedId = "added-";

export const noEdits: PageEdits = { edits: {}, added: [] };

export function isEmpty({ edits, added }: PageEdits): boolean {
  return added.length === 0 && Object.keys(edits).length === 0;
}

/** The edits of one page in this browser's storage. */
export class KeptEdits {
  readonly #key: string;
  #watching: ReturnType<typeof setTimeout> | undefined;

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

  /** @throws Error of one sentence if the browser keeps nothing more */
  write(edits: PageEdits): void {
    try {
      if (isEmpty(edits)) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(edits));
    } catch {
      throw new Error("The browser's storage is full or closed, so the edits last until the page is left.");
    }
  }

  /** Whether edits began to run in this browser and never came to an end: a loop without one, say. */
  get hasHung(): boolean {
    try {
      return localStorage.getItem(`${this.#key} running`) !== null;
    } catch {
      return false;
    }
  }

  /** Notes that an edit runs, until the page has answered for a while or is left in good order. */
  watch(): void {
    const mark = `${this.#key} running`;
    try {
      localStorage.setItem(mark, "");
    } catch {
      return;
    }
    const clear = () => localStorage.removeItem(mark);
    clearTimeout(this.#watching);
    this.#watching = setTimeout(clear, 2000);
    addEventListener("pagehide", clear, { once: true });
  }
}

const linkKey = "cells";

/** The part of an address that brings edits along. It stays in the browser: no server is sent it. */
export function editsToHash(edits: PageEdits): string {
  const bytes = deflateRaw(new TextEncoder().encode(JSON.stringify(edits)));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#${linkKey}=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * The edits that an address brings along, or undefined if it brings none.
 * @throws Error of one sentence if they are damaged
 */
export function editsFromHash(hash: string): PageEdits | undefined {
  const text = new RegExp(`^#${linkKey}=(.*)$`).exec(hash)?.[1];
  if (text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    return readEdits(JSON.parse(new TextDecoder().decode(inflateRaw(bytes))));
  } catch {
    throw new Error("The cells that this link brings are damaged or cut off, so the page is shown as it is.");
  }
}

function readEdits({ edits = {}, added = [] }: Partial<PageEdits>): PageEdits {
  if (typeof edits !== "object") throw new Error("not edits");
  const isText = (value: unknown) => typeof value === "string";
  const isCell = ({ id, after, language, source }: AddedCell) =>
    [id, after, source].every(isText) && ["js", "ts", "md"].includes(language);
  // No id of the page's own, and none twice.
  const areOwn = () =>
    added.every(({ id }) => id.startsWith(addedId)) && new Set(added.map(({ id }) => id)).size === added.length;
  if (!Object.values(edits).every(isText) || !added.every(isCell) || !areOwn()) throw new Error("not edits");
  return {
    edits: { ...edits },
    added: added.map(({ id, after, language, source }) => ({ id, after, language, source })),
  };
}
