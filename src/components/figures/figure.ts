import { element, uniqueId } from "../page/element.js";
import { explain } from "./terms.js";

/** What is said of a figure. */
export interface FigureOptions {
  title: string;
  /** What it shows, for who does not see it. */
  alt: string;
  /** A sentence or two below it: what to do, and what to see. */
  note?: string | Node;
  /** Whether it takes the page's full width; otherwise it is as wide as the prose. */
  isWide?: boolean;
}

/** A figure with its title above and its note below; what is between is given in order. */
export function figure(
  { title, alt, note, isWide }: FigureOptions,
  ...parts: (Node | string | undefined | false)[]
): HTMLElement {
  const descriptionId = uniqueId("figure");
  const node = element(
    "figure",
    { class: `learn-figure${isWide ? " is-wide" : ""}`, "aria-describedby": descriptionId },
    element("figcaption", {}, element("strong", {}, title)),
    element("p", { id: descriptionId, class: "visually-hidden" }, alt),
    ...parts,
    note !== undefined && element("p", { class: "learn-note" }, note),
  );
  return explain(node);
}

/** Names and numbers beside a figure. */
export function facts(values: Record<string, string | Node>): HTMLElement {
  const rows = Object.entries(values).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  return explain(element("dl", { class: "learn-facts" }, ...rows));
}
