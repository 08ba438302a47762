import { element } from "../page/element.js";
import { scrollIntoBox } from "./scrollIntoBox.js";

/** How far each box is scrolled, and the last one of its name. */
const boxes = new Map<string, { node: HTMLElement; left: number }>();

/**
 * A box that scrolls sideways, by keys too, where what is in it is wider than the page. It takes over the place and the
 * focus of the box with the same name before it, and brings what is of class `now` in sight.
 */
export function scrollBox(label: string, ...children: Node[]): HTMLElement {
  const node = element("div", { class: "learn-scroll", tabindex: 0, role: "group", "aria-label": label }, ...children);
  const previous = boxes.get(label);
  const hasFocus = previous !== undefined && document.activeElement === previous.node;
  const state = { node, left: previous?.left ?? 0 };
  boxes.set(label, state);
  node.onscroll = () => {
    state.left = node.scrollLeft;
  };
  // Only what is on the page can be scrolled.
  requestAnimationFrame(() => {
    if (hasFocus) node.focus({ preventScroll: true });
    node.scrollLeft = previous?.left ?? 0;
    scrollIntoBox(node, node.querySelector(".now"));
  });
  return node;
}
