import { element, uniqueId } from "../page/element.js";
import { explain } from "./terms.js";

/** The texts of a figure. */
export interface FigureOptions {
  title: string;
  /** A description for screen readers. */
  alt: string;
  /** A sentence or two below the figure: what to do, and what to see. */
  note?: string | Node;
  /** Whether the figure is as wide as the page instead of the prose. */
  isWide?: boolean;
}

/** Returns a figure of some parts, with a title above and a note below. */
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

/** Returns a list of names and values next to a figure. */
export function facts(values: Record<string, string | Node>): HTMLElement {
  const rows = Object.entries(values).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  return explain(element("dl", { class: "learn-facts" }, ...rows));
}
