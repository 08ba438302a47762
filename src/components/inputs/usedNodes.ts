import { Change } from "../training/follow.js";

/** Elements in which a run refreshes charts and tables. */
const freezable = ".freezable, .added-cell";
const chart = 'svg[class^="plot-"]';
const table = "form:has(> table)";
/** Elements that may act on a click. */
const pressable =
  'a, button, input:not([type="range"]), label, select, summary, th[title], [role="button"], [data-things]';
/** Milliseconds within which the click of a tap follows its `pointerup`. */
const tapDelay = 300;

const ways = ["pointed", "worked", "pressed"] as const;
/** Nodes that cells show and a reader uses, by the kind of use. */
const used: { [way in (typeof ways)[number]]?: Element } = {};
const released = new Change();
let isFreezing = false;

/**
 * Keeps a node on the page as long as its reader uses it, even if its cell draws it again. In elements of the class
 * `freezable` this is the chart under the pointer and the table that has the pointer or the keyboard; everywhere it is what
 * is pressed, until its click. The new node waits behind the old one, hidden.
 */
export function freezeWhatIsUsed(): void {
  if (isFreezing) return;
  isFreezing = true;
  const freezableAt = (place: EventTarget | null, kinds: string) => {
    const found = place instanceof Element && place.closest(freezable) ? place.closest(kinds) : null;
    return found ? cellNode(found) : undefined;
  };
  document.addEventListener("pointerover", ({ target }) => use("pointed", freezableAt(target, `${chart}, ${table}`)));
  document.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") use("pointed");
  });
  document.addEventListener("focusin", ({ target }) => {
    const isByKeys = (target as Element).matches(":focus-visible");
    use("worked", isByKeys ? freezableAt(target, table) : undefined);
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    // A window that loses the focus still has an active element.
    if (!relatedTarget && document.activeElement !== target) use("worked");
  });
  document.addEventListener("keydown", ({ target }) => {
    use("worked", freezableAt(target, table));
    // A reader who types expects its effect, even where the mouse rests.
    use("pointed");
  });
  let letsGo: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      clearTimeout(letsGo);
      const pressed = target instanceof Element ? target.closest(pressable) : null;
      use("pressed", pressed ? cellNode(pressed) : undefined);
    },
    { capture: true },
  );
  for (const type of ["pointerup", "pointercancel"] as const) {
    document.addEventListener(
      type,
      ({ pointerType }) => {
        letsGo = setTimeout(() => use("pressed"), pointerType === "mouse" ? 0 : tapDelay);
      },
      { capture: true },
    );
  }
  document.addEventListener("click", ({ target }) => {
    // The chart may show the effect of its click.
    if (target instanceof Element && used.pointed?.contains(target) && !target.closest(table)) use("pointed");
  });
}

/** Waits until no table with exactly these columns is in use. */
export async function whenUnused(columns: readonly string[]): Promise<void> {
  const heads = (node: Element) => Array.from(node.querySelectorAll<HTMLElement>("thead th[title]"), (th) => th.title);
  const isShown = (node?: Element) => node && heads(node).join() === columns.join();
  while (ways.some((way) => isShown(used[way]))) await released.changed;
}

/** Returns the node that a cell shows and that contains a place. */
function cellNode(place: Element): Element | undefined {
  return place.closest(".observablehq--block > *") ?? undefined;
}

function use(way: keyof typeof used, node?: Element): void {
  const before = used[way];
  if (before === node) return;
  used[way] = node;
  // Framework calls this before its cell shows the next node.
  if (node) node.remove = () => freeze(node);
  if (before && !ways.some((other) => used[other] === before)) letGo(before);
}

function freeze(node: Element): void {
  node.classList.add("frozen");
  // By then its cell shows the next node. One of another kind, such as an error, is shown at once.
  queueMicrotask(() => {
    if (node.nextElementSibling?.tagName !== node.tagName) letGo(node);
  });
}

function letGo(node: Element): void {
  for (const way of ways) if (used[way] === node) delete used[way];
  Reflect.deleteProperty(node, "remove");
  if (node.classList.contains("frozen")) {
    const { nextElementSibling: next, scrollLeft, scrollTop } = node;
    node.remove();
    next?.scrollTo(scrollLeft, scrollTop);
  }
  released.tell();
}
