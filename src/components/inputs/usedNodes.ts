import { followReader } from "../page/reader.js";

/** Elements with charts and tables that a run refreshes. */
const freezable = ".freezable, .added-cell";
const chart = 'svg[class^="plot-"]';
const table = "form:has(> table)";
/** Elements that can be clicked. */
const pressable =
  'a, button, input:not([type="range"]), label, select, summary, th[title], [role="button"], [data-thing]';
/** Milliseconds within which the click of a tap follows its `pointerup`. */
const tapDelay = 300;

const useKinds = ["pointed", "worked", "pressed"] as const;
/** Outputs of cells in use, by the kind of use. */
const used: { [kind in (typeof useKinds)[number]]?: Element } = {};
let isFreezing = false;

/**
 * Keeps a cell's output on the page while the reader uses it, even if the cell runs again. In elements with the class
 * `freezable`, a chart is in use under the pointer, and a table with the pointer or the keyboard focus. Everywhere, a
 * pressed element is in use until its click. The new output waits behind the old one, hidden.
 */
export function freezeUsedNodes(): void {
  if (isFreezing) return;
  isFreezing = true;
  const freezableAt = (element: Element, kinds: string) =>
    element.closest(freezable) ? cellNode(element.closest(kinds)) : undefined;
  let releaseTimer: ReturnType<typeof setTimeout> | undefined;
  followReader({
    over: (element) => setUse("pointed", freezableAt(element, `${chart}, ${table}`)),
    leave: () => setUse("pointed"),
    focus: (element) => setUse("worked", element.matches(":focus-visible") ? freezableAt(element, table) : undefined),
    blur: () => setUse("worked"),
    key({ target }) {
      setUse("worked", freezableAt(target as Element, table));
      // A typing reader expects to see the effect, even under the resting mouse.
      setUse("pointed");
    },
    press(element) {
      clearTimeout(releaseTimer);
      setUse("pressed", cellNode(element.closest(pressable)));
    },
    release({ pointerType }) {
      releaseTimer = setTimeout(() => setUse("pressed"), pointerType === "mouse" ? 0 : tapDelay);
    },
    click(element) {
      // A chart can show the effect of a click on it.
      if (used.pointed?.contains(element) && !element.closest(table)) setUse("pointed");
    },
  });
}

/** Returns the output of a cell that contains an element. */
function cellNode(target: Element | null): Element | undefined {
  return target?.closest(".observablehq--block > *") ?? undefined;
}

function setUse(kind: keyof typeof used, node?: Element): void {
  const previous = used[kind];
  if (previous === node) return;
  used[kind] = node;
  // Framework calls this before its cell shows the next node.
  if (node) node.remove = () => freeze(node);
  if (previous && !useKinds.some((other) => used[other] === previous)) release(previous);
}

function freeze(node: Element): void {
  node.classList.add("frozen");
  // By then the cell shows its next output. One of another kind, such as an error, replaces the old one at once.
  queueMicrotask(() => {
    if (node.nextElementSibling?.tagName !== node.tagName) release(node);
  });
}

function release(node: Element): void {
  for (const kind of useKinds) if (used[kind] === node) delete used[kind];
  Reflect.deleteProperty(node, "remove");
  if (node.classList.contains("frozen")) {
    const { nextElementSibling: next, scrollLeft, scrollTop } = node;
    node.remove();
    next?.scrollTo(scrollLeft, scrollTop);
  }
}
