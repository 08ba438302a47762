/**
 * What the reader points at: one value for a page, which every chart, table, image and line of code reads and sets. A
 * thing is named by its kind and what tells it from others of its kind, such as "blob:12" or "code:sort.swap". A thing is
 * pointed at while the mouse or the focus is on a place that stands for it, or after a tap until the next one. Of the
 * kinds that a page follows, a click pins a thing until it, or another of its kind, is clicked, or Escape is pressed.
 */

const attribute = "data-things";
/** Places that stand for things; a row of Inputs.table stands for what its cell names. */
const places = `[${attribute}], tr:has(> td > [${attribute}].of-row)`;
/** Charts and pictures, which call `pointAt` themselves. */
const pointerSelector = ".points, .has-things .picture-frame";

let pointed: readonly string[] = [];
/** Where the reader points; undefined where a program does. */
let pointedElement: Element | undefined;
/** The pinned thing of each kind. */
const pinned = new Map<string, string>();
const followedKinds = new Set<string>();
const listeners = new Set<Listener>();
let isListening = false;

/** Hears of the things that are pointed at, and of the place where the reader does; undefined where a program does. */
type Listener = (things: readonly string[], element: Element | undefined) => void;

/** Returns the name of a thing. */
export function thingName(kind: string, value: string | number): string {
  return `${kind}:${encodeURIComponent(value)}`;
}

/**
 * Makes an element stand for things: it has the class `marked` while one of them is pointed at, `pinned` while one is
 * pinned. It gets an event `marked`, which bubbles, when that begins.
 */
export function linkThings<E extends Element>(node: E, ...things: string[]): E {
  listen();
  node.setAttribute(attribute, things.join(" "));
  show(node);
  return node;
}

/** Makes each element that a selector finds stand for things, by its index. */
export function linkAll<E extends Element>(drawing: E, selector: string, things: (index: number) => string[]): E {
  for (const [index, node] of drawing.querySelectorAll(selector).entries()) linkThings(node, ...things(index));
  return drawing;
}

/**
 * Links a chart of Plot: it points at the thing of its value, the row that is nearest to the pointer, by the column of
 * that name. Marks with an `ariaLabel` such as "blob 12" stand for things.
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

/** Returns the things that a place stands for. */
export function thingNames(element: Element): string[] {
  const node = element.matches(`[${attribute}]`) ? element : element.querySelector(`[${attribute}].of-row`)!;
  return node.getAttribute(attribute)!.split(" ");
}

/** The arrows up and down point at the previous and next of some places, Enter pins; other keys do nothing. */
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

/** Returns the things that are pointed at. */
export function pointedThings(): readonly string[] {
  return pointed;
}

/** Calls a listener whenever what is pointed at or pinned changes, until it is ended by calling what this returns. */
export function onPointed(listener: Listener): () => void {
  listen();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Hears a number, or null, at once and at each change, until it is ended by calling what it returned. */
type Observe = (onChange: (number: number | null) => void) => () => void;

/** The number of the thing of a kind that is pointed at: `const blob = Generators.observe(pointsAt("blob"))`. */
export function observePointed(kind: string): Observe {
  return observe(kind, () => pointed.find((thing) => kindOf(thing) === kind));
}

/** The number of the thing of a kind that is pinned. */
export function observePinned(kind: string): Observe {
  return observe(kind, () => pinned.get(kind));
}

function observe(kind: string, read: () => string | undefined): Observe {
  return (onChange) => {
    allowPinning(kind);
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

/** Lets things of a kind be pinned. */
export function allowPinning(kind: string): void {
  followedKinds.add(kind);
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

/** A page's own text has places too, such as the parts of a formula, so the document listens and not each place. */
function listen(): void {
  if (isListening) return;
  isListening = true;
  const elementAt = ({ target }: Event) => {
    if (!(target instanceof Element)) return null;
    // A control that has the focus stands for what is named in it.
    const labelledChild = target.matches("button, summary, th") ? target.querySelector(`[${attribute}]`) : null;
    return target.closest(`${places}, ${pointerSelector}`) ?? labelledChild;
  };
  const point = (event: Event) => {
    const element = elementAt(event);
    if (!element?.matches(pointerSelector)) setPointed(element ?? undefined, element ? thingNames(element) : []);
  };
  document.addEventListener("pointerover", point);
  // A finger leaves where it is lifted; what it has tapped stays marked until it taps elsewhere.
  document.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") pointAt();
  });
  // A press moves the focus to what can have it around the thing that is pressed; that is no pointing.
  document.addEventListener("focusin", (event) => {
    if (event.target instanceof Element && event.target.matches(`:focus-visible, [${attribute}]`)) point(event);
  });
  document.addEventListener("focusout", (event) => {
    // A window that loses the focus still has an active element.
    if (!event.relatedTarget && document.activeElement !== event.target && elementAt(event)) pointAt();
  });
  document.addEventListener("click", (event) => {
    if (elementAt(event) && !(event.target as Element).closest("button, input, select, a, summary")) pinPointed();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    pinned.clear();
    [pointed, pointedElement] = [[], undefined];
    showAll();
  });
}
