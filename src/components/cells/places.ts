import type { CellLanguage } from "./pageEdits.js";

/** Where a cell is in its page. */
export interface CellPlace {
  id: string;
  language: CellLanguage;
  /** Holds what the cell displays. */
  block: Element;
  /** The first and the last element of the cell. */
  first: Element;
  last: Element;
  /** The page's source and listing of the cell; none for a cell that the reader added. */
  original?: string;
  listing?: HTMLElement;
  /** The ids of the page's cells next to a cell that the reader added. */
  after?: string;
  before?: string;
}

/** Returns the page's own cells by id, with the blocks and listings of src/components/page/cellRule.ts. */
export function placesOfPage(): Map<string, CellPlace> {
  const places = Array.from(document.querySelectorAll<HTMLElement>("div[data-cell]"), (listing) => {
    const { cell: id = "", language } = listing.dataset;
    const original = listing.querySelector("pre")!.textContent.replace(/\n$/, "");
    const block = document.getElementById(`cell-${id}`)!;
    const last = listing.closest("details.code, .hidden-code") ?? listing;
    return { id, language: language as CellLanguage, block, first: block, last, original, listing };
  });
  return new Map(places.map((place) => [place.id, place]));
}
