import { html } from "htl";
import { uniqueId } from "../page/element.js";

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
  return html`<figure class="learn-figure ${isWide ? "is-wide" : ""}" aria-describedby=${descriptionId}>
    <figcaption><strong>${title}</strong></figcaption>
    <p id=${descriptionId} class="visually-hidden">${alt}</p>
    ${parts.filter(Boolean)}
    ${note === undefined ? null : html`<p class="learn-note">${note}</p>`}
  </figure>`;
}

/** Returns a list of names and values next to a figure. */
export function facts(values: Record<string, string | Node>): HTMLElement {
  const rows = Object.entries(values).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl class="learn-facts">${rows}</dl>`;
}
