import { html } from "htl";
import { scrollIntoBox } from "./scrollIntoBox.js";

/** The latest box of each name, with its scroll position. */
const boxes = new Map<string, { node: HTMLElement; left: number }>();

/**
 * Returns a box that scrolls sideways, also by keys, if its content is wider than the page. It takes over the scroll
 * position and the focus of the previous box of that name, and scrolls to its element of the class `now`.
 */
export function scrollBox(label: string, ...children: Node[]): HTMLElement {
  const node = html`<div class="learn-scroll" tabindex="0" role="group" aria-label=${label}>${children}</div>`;
  const previous = boxes.get(label);
  const hasFocus = previous !== undefined && document.activeElement === previous.node;
  const state = { node, left: previous?.left ?? 0 };
  boxes.set(label, state);
  node.onscroll = () => {
    state.left = node.scrollLeft;
  };
  // Only elements on the page can scroll.
  requestAnimationFrame(() => {
    if (hasFocus) node.focus({ preventScroll: true });
    node.scrollLeft = previous?.left ?? 0;
    scrollIntoBox(node, node.querySelector(".now"));
  });
  return node;
}
