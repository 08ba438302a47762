import { element } from "../page/element.js";

/**
 * A box that scrolls sideways, by keys too, where what is in it is wider than the page. What is drawn into it anew, by
 * `replaceChildren`, stands where its reader had scrolled to.
 */
export function scrollBox(label: string, ...children: Node[]): HTMLElement {
  return element("div", { class: "learn-scroll", tabindex: 0, role: "group", "aria-label": label }, ...children);
}
