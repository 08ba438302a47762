import { whenGone } from "./seen.js";

/**
 * Linked pointing: what stands for a thing, such as "blob:12" or "code:sort.swap", is marked wherever it stands on the
 * page while the reader points at one of its places or has the focus on it.
 */

const attribute = "data-things";
let pointed: readonly string[] = [];
let isListening = false;
const listeners = new Set<(things: readonly string[]) => void>();

/** Makes an element stand for things; it is marked (class `marked`) while one of them is pointed at. */
export function standsFor<E extends Element>(node: E, ...things: string[]): E {
  listen();
  node.setAttribute(attribute, things.join(" "));
  node.classList.toggle(
    "marked",
    things.some((thing) => pointed.includes(thing)),
  );
  return node;
}

/** Makes each element of a drawing that a selector finds stand for things, by its number among them. */
export function standForAll<E extends Element>(drawing: E, selector: string, things: (index: number) => string[]): E {
  for (const [index, node] of drawing.querySelectorAll(selector).entries()) standsFor(node, ...things(index));
  return drawing;
}

/** Points at things by program, as a canvas has to; at nothing with no argument. */
export function pointAt(...things: string[]): void {
  listen();
  if (things.length === pointed.length && things.every((thing, index) => thing === pointed[index])) return;
  pointed = things;
  for (const node of document.querySelectorAll(".marked")) node.classList.remove("marked");
  for (const thing of things) {
    for (const node of document.querySelectorAll(`[${attribute}~="${CSS.escape(thing)}"]`))
      node.classList.add("marked");
  }
  for (const listener of listeners) listener(things);
}

/**
 * Calls a listener whenever something else is pointed at, for what is drawn on a canvas; ends by itself once `node` has
 * left the page.
 */
export function onPointed(node: Element, listener: (things: readonly string[]) => void): void {
  listen();
  listeners.add(listener);
  whenGone(node, () => listeners.delete(listener));
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const follow = ({ target }: Event) => {
    const place = target instanceof Element ? target.closest(`[${attribute}]`) : null;
    pointAt(...(place?.getAttribute(attribute)?.split(" ") ?? []));
  };
  document.addEventListener("pointerover", follow);
  // A pointer's press puts the focus on what can have it around the thing that is pressed; that is no pointing.
  document.addEventListener("focusin", (event) => {
    if (event.target instanceof Element && event.target.matches(":focus-visible")) follow(event);
  });
  // A finger leaves where it is lifted; what it has tapped stays marked until it taps elsewhere.
  document.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") pointAt();
  });
}
