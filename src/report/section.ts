import { element } from "../components/page/element.js";

/** Returns a section of a report. */
export function section(title: string, sentence: string | undefined, ...content: Node[]): HTMLElement {
  return element(
    "section",
    {},
    element("h2", {}, title),
    sentence !== undefined && element("p", {}, sentence),
    ...content,
  );
}
