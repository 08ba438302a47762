import { whenGone } from "./seen.js";

/**
 * Linked pointing: what stands for a thing, such as "blob:12" or "code:sort.swap", is marked wherever it stands on the
 * page while the reader points at one of its places or has the focus on it. Of the kinds that a page follows by
 * `pointsAt` or `pins`, a click pins a thing, which stays marked until it, or another one, is clicked, or Escape is pressed.
 */

const attribute = "data-things";
/** What points at things by itself, at each place other ones: a click on it pins what it points at. */
const pointing = ".points, .has-window .picture-frame";
let pointed: readonly string[] = [];
/** The thing that is pinned of a kind. */
const pinned = new Map<string, string>();
const followed = new Set<string>();
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
  showPinned(node, things);
  return node;
}

/**
 * Links a chart of Plot's: the row that the pointer is nearest to is pointed at by its number of that kind, and the marks
 * whose `ariaLabel` tells a number, "blob 12", stand for it.
 */
export function pointsTo<E extends Element & { value?: unknown }>(kind: string, chart: E): E {
  for (const mark of chart.querySelectorAll(`[aria-label^="${kind} "]`))
    standsFor(mark, mark.ariaLabel!.replace(" ", ":"));
  chart.classList.add("points");
  chart.addEventListener("input", () => {
    const row = chart.value as Record<string, number> | null | undefined;
    pointAt(...(row ? [`${kind}:${row[kind]}`] : []));
  });
  return chart;
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

/** Tells a number, or null, now and whenever it is another one, until it is ended by what it returns. */
type Telling = (change: (number: number | null) => void) => () => void;

/**
 * The number of the thing of a kind that is pointed at, or null, for a cell: the blob that is by
 * `Generators.observe(pointsAt("blob"))`.
 */
export function pointsAt(kind: string): Telling {
  return telling(kind, () => pointed.find((thing) => kindOf(thing) === kind));
}

/** The same of the thing that is pinned. */
export function pins(kind: string): Telling {
  return telling(kind, () => pinned.get(kind));
}

function telling(kind: string, read: () => string | undefined): Telling {
  return (change) => {
    listen();
    followed.add(kind);
    let last: string | undefined;
    const tell = () => {
      const thing = read();
      if (thing === last) return;
      last = thing;
      change(thing === undefined ? null : Number(thing.slice(kind.length + 1)));
    };
    change(null);
    tell();
    listeners.add(tell);
    return () => listeners.delete(tell);
  };
}

/** Pins a thing, or lets it go where it is pinned; none of its kind with no thing. */
export function pin(kind: string, thing?: string): void {
  if (thing === undefined || pinned.get(kind) === thing) pinned.delete(kind);
  else pinned.set(kind, thing);
  for (const node of document.querySelectorAll(`[${attribute}]`))
    showPinned(node, node.getAttribute(attribute)!.split(" "));
  for (const listener of listeners) listener(pointed);
}

/** Pins what is pointed at, of the kinds that the page follows. */
export function pinPointed(): void {
  for (const kind of followed) {
    const thing = pointed.find((candidate) => kindOf(candidate) === kind);
    if (thing) pin(kind, thing);
  }
}

function kindOf(thing: string): string {
  return thing.slice(0, thing.indexOf(":"));
}

function showPinned(node: Element, things: readonly string[]): void {
  if (followed.size === 0) return;
  const isPinned = things.some((thing) => pinned.get(kindOf(thing)) === thing);
  node.classList.toggle("pinned", isPinned);
  node.ariaCurrent = isPinned ? "true" : null;
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.closest("button, input, select, a, summary")) return;
    if (target.closest(`[${attribute}], ${pointing}`)) pinPointed();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") for (const kind of followed) pin(kind);
  });
  const follow = ({ target }: Event) => {
    const place = target instanceof Element ? target.closest(`[${attribute}], ${pointing}`) : null;
    if (place?.matches(pointing)) return;
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
