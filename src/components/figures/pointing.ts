import { followReader } from "../page/reader.js";

/**
 * What the reader points at: one value per page, which all charts, tables, images and lines of code share. A thing has a
 * name with its kind, such as "blob:12" or "code:sort.swap". It is pointed at while the mouse or the focus is on an element
 * that is linked to it, or from a tap until the next one. A click pins a thing of the kinds that a page follows, until the
 * next click on it or on another of its kind, or Escape.
 */

const attribute = "data-things";
/** Linked elements. A row of Inputs.table has the link of its cell. */
const places = `[${attribute}], tr:has(> td > [${attribute}].of-row)`;
/** Charts and images, which call `pointAt` themselves. */
const pointerSelector = ".points, .has-things .image-frame";

let pointed: readonly string[] = [];
/** The element that the reader points at; undefined if a program points. */
let pointedElement: Element | undefined;
/** The pinned thing of each kind. */
const pinned = new Map<string, string>();
const followedKinds = new Set<string>();
const listeners = new Set<Listener>();
let isListening = false;

/** Called with the pointed things and the element that the reader points at; undefined if a program points. */
type Listener = (things: readonly string[], element: Element | undefined) => void;

/** Returns the name of a thing. */
export function thingName(kind: string, value: string | number): string {
  return `${kind}:${encodeURIComponent(value)}`;
}

/**
 * Links an element to things. It has the class `marked` while one of them is pointed at, and `pinned` while one is pinned.
 * When it becomes marked, it gets an event `marked`, which bubbles.
 */
export function linkThings<E extends Element>(node: E, ...things: string[]): E {
  listen();
  node.setAttribute(attribute, things.join(" "));
  show(node);
  return node;
}

/**
 * Links a chart of Plot: its value, the row nearest to the pointer, points at the thing in the column `kind`. Marks with an
 * `ariaLabel` such as "blob 12" are linked to things.
 */
export function linkChart<E extends Element & { value?: unknown }>(kind: string, chart: E): E {
  for (const mark of chart.querySelectorAll(`[aria-label^="${kind} "]`))
    linkThings(mark, mark.ariaLabel!.replace(" ", ":"));
  chart.classList.add("points");
  chart.addEventListener("input", () => {
    const row = chart.value as Record<string, number | string> | null | undefined;
    pointAt(...(row ? [thingName(kind, row[kind])] : []));
  });
  return chart;
}

/** Points at things, or at nothing. */
export function pointAt(...things: string[]): void {
  setPointed(undefined, things);
}

function setPointed(element: Element | undefined, things: readonly string[]): void {
  listen();
  const isSame = things.join() === pointed.join();
  if (isSame && element === pointedElement) return;
  [pointed, pointedElement] = [things, element];
  if (isSame) notifyListeners();
  else showAll();
}

/** Returns the things that an element is linked to. */
export function thingNames(element: Element): string[] {
  const node = element.matches(`[${attribute}]`) ? element : element.querySelector(`[${attribute}].of-row`)!;
  return node.getAttribute(attribute)!.split(" ");
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
  pointAt(...thingNames(next));
  next.scrollIntoView({ block: "nearest" });
}

/** Calls a listener after each change of the pointed or pinned things. Returns a function that removes the listener. */
export function onPointed(listener: Listener): () => void {
  listen();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back with a number or null, now and after each change, until the returned function is called. */
type Observe = (onChange: (number: number | null) => void) => () => void;

/** Observes the number of the pointed thing of a kind: `const blob = Generators.observe(observePointed("blob"))`. */
export function observePointed(kind: string): Observe {
  return observe(kind, () => pointed.find((thing) => kindOf(thing) === kind));
}

/** Observes the number of the pinned thing of a kind. */
export function observePinned(kind: string): Observe {
  return observe(kind, () => pinned.get(kind));
}

function observe(kind: string, read: () => string | undefined): Observe {
  return (onChange) => {
    followedKinds.add(kind);
    let last = read();
    const report = () => onChange(last === undefined ? null : Number(last.slice(kind.length + 1)));
    report();
    return onPointed(() => {
      if (read() === last) return;
      last = read();
      report();
    });
  };
}

/** Pins a thing, or releases it if it is pinned. */
export function pin(thing: string): void {
  const kind = kindOf(thing);
  if (pinned.get(kind) === thing) pinned.delete(kind);
  else pinned.set(kind, thing);
  showAll();
}

/** Pins the things that are pointed at, of the kinds that the page follows. */
export function pinPointed(): void {
  for (const kind of followedKinds) {
    const thing = pointed.find((candidate) => kindOf(candidate) === kind);
    if (thing) pin(thing);
  }
}

function kindOf(thing: string): string {
  return thing.slice(0, thing.indexOf(":"));
}

function showAll(): void {
  for (const node of document.querySelectorAll(`[${attribute}]`)) show(node);
  notifyListeners();
}

function notifyListeners(): void {
  for (const listener of listeners) listener(pointed, pointedElement);
}

function show(node: Element): void {
  const things = thingNames(node);
  const wasMarked = node.classList.contains("marked");
  const isMarked = node.classList.toggle(
    "marked",
    things.some((thing) => pointed.includes(thing)),
  );
  if (isMarked && !wasMarked) node.dispatchEvent(new Event("marked", { bubbles: true }));
  if (!things.some((thing) => followedKinds.has(kindOf(thing)))) return;
  const isPinned = things.some((thing) => pinned.get(kindOf(thing)) === thing);
  node.classList.toggle("pinned", isPinned);
  if (node.ariaPressed) node.ariaPressed = String(isPinned);
  else node.ariaCurrent = isPinned ? "true" : null;
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const linkedAt = (target: Element) => {
    // A focused control has the link of its content.
    const labelledChild = target.matches("button, summary, th") ? target.querySelector(`[${attribute}]`) : null;
    return target.closest(`${places}, ${pointerSelector}`) ?? labelledChild;
  };
  const over = (target: Element) => {
    const element = linkedAt(target);
    if (!element?.matches(pointerSelector)) setPointed(element ?? undefined, element ? thingNames(element) : []);
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
      pinned.clear();
      [pointed, pointedElement] = [[], undefined];
      showAll();
    },
  });
}
