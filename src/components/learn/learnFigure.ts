import { element, uniqueId } from "../element.js";

/** A figure of the learn pages. */
export interface LearnFigure {
  /** A few words above it. */
  title: string;
  /** What it shows, for who does not see it. */
  alt: string;
  /** A sentence or two below it: what to do, and what to see. */
  note?: string | Node;
  /** Whether it takes the page's full width; otherwise it is as wide as the prose. */
  isWide?: boolean;
}

/** A figure with its title above and its note below; what is between is given in order, controls first. */
export function learnFigure(
  { title, alt, note, isWide }: LearnFigure,
  ...parts: (Node | undefined | false)[]
): HTMLElement {
  const described = uniqueId("figure");
  return element(
    "figure",
    { class: `learn-figure${isWide ? " is-wide" : ""}`, "aria-describedby": described },
    element("figcaption", {}, element("strong", {}, title)),
    element("p", { id: described, class: "visually-hidden" }, alt),
    ...parts,
    note !== undefined && element("p", { class: "learn-note" }, note),
  );
}

/**
 * Calls once, when an element comes near what is in sight: what costs time begins there.
 * @param margin how far around what is in sight counts as near; negative, how far within it
 */
export function whenSeen(node: Element, start: () => void, margin = "300px"): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      start();
    },
    { rootMargin: margin },
  );
  observer.observe(node);
}

/**
 * Figures that are made when their place comes near what is in sight. The page's styles give it, by the class
 * `once-seen`, the height that they will have.
 */
export function onceSeen(make: () => Node[]): HTMLElement {
  const place = element("div", { class: "once-seen" });
  whenSeen(place, () => place.append(...make()));
  return place;
}

/** Calls once, when an element that was on the page has left it: what it holds is freed there. */
export function whenGone(node: Element, end: () => void): void {
  let wasConnected = node.isConnected;
  const observer = new MutationObserver(() => {
    if (node.isConnected) wasConnected = true;
    else if (wasConnected) {
      observer.disconnect();
      end();
    }
  });
  observer.observe(document, { childList: true, subtree: true });
}
