import { html } from "htl";
import { linkThing, onPointed } from "../figures/pointing.js";

const tipId = "help-tip";
let tip: HTMLElement | undefined;

/** The texts of elements with help. As attributes they would enlarge reports, which are HTML without script. */
const helps = new WeakMap<Element, string>();

/**
 * Shows a text while a focusable element is pointed at, tapped or focused.
 * @param thing the thing that the element is linked to
 */
export function helpOn(node: HTMLElement, thing: string, text: string): void {
  node.dataset.help = "";
  helps.set(node, text);
  linkThing(node, thing);
  for (const type of ["pointerover", "focusin"]) node.addEventListener(type, showHelp, { once: true });
}

/** Shows the text of the pointed element from now on. */
function showHelp(): void {
  if (tip) return;
  tip = html`<div id=${tipId} class="help-tip" role="tooltip" popover="manual"></div>`;
  document.body.append(tip);
  onPointed((place) => {
    if (place?.matches("[data-help]")) openTip(tip!, place as HTMLElement);
    else tip!.hidePopover();
  });
}

function openTip(tip: HTMLElement, node: HTMLElement): void {
  const thing = node.getAttribute("data-thing")!;
  const block = node.closest(".observablehq--block");
  tip.textContent = helps.get(node)!;
  tip.showPopover();
  trackNode(tip, node, () => block?.querySelector(`[data-help][data-thing="${CSS.escape(thing)}"]`) ?? undefined);
}

let frame = 0;

/**
 * Keeps the open tip below an element, or above it if there is no space, within the window.
 * @param findAgain finds the element if its table was drawn again
 */
function trackNode(tip: HTMLElement, node: HTMLElement, findAgain: () => HTMLElement | undefined): void {
  node.setAttribute("aria-describedby", tipId);
  let hasFocus = false;
  const place = () => {
    if (!tip.matches(":popover-open")) return;
    if (!node.isConnected) {
      const next = findAgain();
      if (!next) return tip.hidePopover();
      if (hasFocus) next.focus({ preventScroll: true });
      return trackNode(tip, next, findAgain);
    }
    hasFocus = document.activeElement === node;
    const box = node.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const below = box.bottom + 6;
    tip.style.left = `${Math.max(8, Math.min(box.left, document.documentElement.clientWidth - width - 8))}px`;
    tip.style.top = `${below + height < innerHeight ? below : box.top - height - 6}px`;
    frame = requestAnimationFrame(place);
  };
  cancelAnimationFrame(frame);
  place();
}
