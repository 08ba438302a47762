import type { CellLanguage } from "./pageEdits.js";

/** Where a cell is in its page. */
export interface CellPlace {
  id: string;
  /** Holds what the cell displays. */
  block: HTMLElement;
  language: CellLanguage;
  /** The page's source of the cell; undefined for a cell that the reader added. */
  original?: string;
  /** The page's listing of its code; undefined for a cell that the reader added. */
  listing?: HTMLElement;
}

/** Returns the cells of a page, by id. */
export function placesIn(main: Element): Map<string, CellPlace> {
  const places = new Map<string, CellPlace>();
  for (const listing of main.querySelectorAll<HTMLElement>(".observablehq-pre-container[data-language]")) {
    const language = listing.dataset.language as CellLanguage;
    const block = endOf(listing).previousElementSibling as HTMLElement | null;
    if (!/^[jt]s$/.test(language) || !block?.matches(".observablehq--block") || block.querySelector(".live-cells"))
      continue;
    const original = listing.querySelector("pre")!.textContent.replace(/\n$/, "");
    const id = idOf(block);
    places.set(id, { id, block, language, original, listing });
  }
  return places;
}

/** Returns the last element of a listing: its fold, if it has one. */
export function endOf(listing: Element): Element {
  return listing.closest("details.code, .hidden-code") ?? listing;
}

/** Returns the id that Framework gives the cell of a block. */
export function idOf(block: Element): string {
  return rootOf(block).data.slice(1, -1);
}

/** Returns the comment before which a cell's output is inserted. */
export function rootOf(block: Element): Comment {
  return [...block.childNodes].find((node) => node.nodeType === Node.COMMENT_NODE) as Comment;
}

/** Removes the output of a block's cell. */
export function clear(block: Element): void {
  for (const node of [...block.childNodes]) if (node.nodeType !== Node.COMMENT_NODE) node.remove();
}
