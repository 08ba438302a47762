import { followReader } from "../page/reader.js";

/**
 * What the reader points at: one value per page, which all charts, tables and images share. A thing has a name with its
 * kind, such as "blob:12". It is pointed at while the mouse or the focus is on an element that is linked to it, or from a
 * tap until the next one. A click pins a thing of the kinds that a page follows, until the next click on it or on another,
 * or Escape.
 */

const attribute = "data-thing";
/** Linked elements. A row of Inputs.table has the link of its cell. */
const places = `[${attribute}], tr:has(> td > [${attribute}].of-row)`;
/** Charts and images, which call `pointAt` themselves. */
const pointerSelector = ".points, .has-things .image-frame";

let pointed: string | undefined;
/** The element that the reader points at; undefined if a program points. */
let pointedElement: Element | undefined;
let pinned: string | undefined;
const followedKinds = new Set<string>();
const listeners = new Set<Listener>();
let isListening = false;

/** Called with the element that the reader points at; undefined if a program points. */
type Listener = (element: Element | undefined) => void;

/** Returns the name of a thing. */
export function thingName(kind: string, value: string | number): string {
  return `${kind}:${encodeURIComponent(value)}`;
}

/** Links an element to a thing. It has the class `marked` while that is pointed at, and `pinned` while it is pinned. */
export function linkThing<E extends Element>(node: E, thing: string): E {
  listen();
  node.setAttribute(attribute, thing);
  show(node);
  return node;
}

/**
 * Links a chart of Plot: its value, the row nearest to the pointer, points at the thing in the column `kind`. Marks with an
 * `ariaLabel` such as "blob 12" are linked to things.
 */
export function linkChart<E extends Element & { value?: unknown }>(kind: string, chart: E): E {
  for (const mark of chart.querySelectorAll(`[aria-label^="${kind} "]`))
    linkThing(mark, mark.ariaLabel!.replace(" ", ":"));
  chart.classList.add("points");
  chart.addEventListener("input", () => {
    const row = chart.value as Record<string, number | string> | null | undefined;
    pointAt(row ? thingName(kind, row[kind]) : undefined);
  });
  return chart;
}

/** Points at a thing, or at nothing. */
export function pointAt(thing?: string, element?: Element): void {
  listen();
  if (thing === pointed && element === pointedElement) return;
  [pointed, pointedElement] = [thing, element];
  showAll();
}

/** Returns the thing that an element is linked to. */
function thingOf(element: Element): string {
  const node = element.matches(`[${attribute}]`) ? element : element.querySelector(`[${attribute}].of-row`)!;
  return node.getAttribute(attribute)!;
}

/** Points at the previous or next of some elements by the arrow keys up and down, and pins by Enter. */
export function pointByKeys(event: KeyboardEvent, places: readonly Element[]): void {
  if (event.target !== event.currentTarget || places.length === 0) return;
  if (event.key === "Enter") pinPointed();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = places.findIndex((element) => element.matches(".marked"));
  const next = places[(Math.max(at, step < 0 ? 0 : -1) + step + places.length) % places.length];
  pointAt(thingOf(next));
  next.scrollIntoView({ block: "nearest" });
}

/** Calls a listener after each change of the pointed or pinned thing. Returns a function that removes the listener. */
export function onPointed(listener: Listener): () => void {
  listen();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back with a number or null, now and after each change, until the returned function is called. */
type Observe = (onChange: (number: number | null) => void) => () => void;

/** Observes the number of the pointed thing of a kind: `const blob = Generators.observe(observePointed("blob"))`. */
export function observePointed(kind: string): Observe {
  return observe(kind, () => pointed);
}

/** Observes the number of the pinned thing of a kind. */
export function observePinned(kind: string): Observe {
  return observe(kind, () => pinned);
}

function observe(kind: string, read: () => string | undefined): Observe {
  return (onChange) => {
    followedKinds.add(kind);
    const number = () => {
      const thing = read();
      return thing?.startsWith(`${kind}:`) ? Number(thing.slice(kind.length + 1)) : null;
    };
    let last = number();
    onChange(last);
    return onPointed(() => {
      const next = number();
      if (next === last) return;
      last = next;
      onChange(last);
    });
  };
}

/** Pins the thing that is pointed at, if the page follows its kind, or releases it if it is pinned. */
export function pinPointed(): void {
  if (!pointed || !followedKinds.has(pointed.split(":")[0])) return;
  pinned = pinned === pointed ? undefined : pointed;
  showAll();
}

function showAll(): void {
  for (const node of document.querySelectorAll(`[${attribute}]`)) show(node);
  for (const listener of listeners) listener(pointedElement);
}

function show(node: Element): void {
  const thing = thingOf(node);
  node.classList.toggle("marked", thing === pointed);
  const isPinned = node.classList.toggle("pinned", thing === pinned);
  node.ariaCurrent = isPinned ? "true" : null;
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const linkedAt = (target: Element) => target.closest(`${places}, ${pointerSelector}`);
  const over = (target: Element) => {
    const element = linkedAt(target);
    if (!element?.matches(pointerSelector)) pointAt(element ? thingOf(element) : undefined, element ?? undefined);
  };
  followReader({
    over,
    leave: () => pointAt(),
    // A press moves the focus to a focusable ancestor, which is not pointing.
    focus: (target) => target.matches(`:focus-visible, [${attribute}]`) && over(target),
    blur: (target) => linkedAt(target) && pointAt(),
    click: (target) => linkedAt(target) && !target.closest("button, input, select, a, summary") && pinPointed(),
    key({ key }) {
      if (key !== "Escape") return;
      [pointed, pointedElement, pinned] = [undefined, undefined, undefined];
      showAll();
    },
  });
}
