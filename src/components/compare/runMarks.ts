import { element } from "../page/element.js";

import { lineSwatch, runStyle } from "../runs/runStyle.js";
import type { ComparedRun } from "./comparedRun.js";

/** What stands for the run at a place, from 1, among those that are compared: it is marked wherever it stands. */
export function ofRun(place: number, ...children: (Node | string)[]): HTMLElement {
  return element("span", { "data-run": place }, ...children);
}

/** A run's name with its line. */
export function runLabel(place: number, name: string): HTMLElement {
  return ofRun(place, lineSwatch(runStyle(place - 1)), " ", name);
}

/** Which colour and dash is which run; it stays in sight. A click points a run out. */
export function runKey(runs: readonly ComparedRun[]): HTMLElement {
  const buttons = runs.map(({ name }, i) => {
    const attributes = { type: "button", class: "quiet", title: name, "data-run": i + 1 };
    return element("button", attributes, lineSwatch(runStyle(i)), element("span", {}, name));
  });
  const none = "No run is chosen: tick one in the table, and it is drawn below.";
  return element(
    "div",
    { class: "compare-key", role: "group", "aria-label": "The runs that are compared" },
    ...(buttons.length > 0 ? buttons : [none]),
  );
}

/**
 * Points a run out in all of a page: what carries `data-run`, the place of a run from 1, marks that run while the pointer
 * or the keyboard is on it, and pins it with a click; so does the line of a chart that is nearest to the pointer. The
 * stylesheet does the rest, from `data-marked` on the root and `aria-current` on the places.
 * @param signal ends it
 */
export function markRuns(root: HTMLElement, runs: readonly ComparedRun[], signal: AbortSignal): void {
  let [pointed, pinned] = [0, runs.findIndex(({ id }) => id === root.dataset.pinned) + 1];
  const show = () => {
    root.dataset.pinned = runs[pinned - 1]?.id ?? "";
    const marked = pointed || pinned;
    if (marked > 0) root.dataset.marked = String(marked);
    else delete root.dataset.marked;
    for (const node of root.querySelectorAll<HTMLElement>("[data-run]")) {
      node.ariaCurrent = node.dataset.run === root.dataset.marked ? "true" : null;
      if (node.matches("button")) node.ariaPressed = String(Number(node.dataset.run) === pinned);
    }
  };
  const point = (place: number) => {
    if (place === pointed) return;
    pointed = place;
    show();
  };
  const placeAt = ({ target }: Event) =>
    Number((target as Element).closest<HTMLElement>("[data-run]")?.dataset.run ?? 0);
  const isInChart = ({ target }: Event) => (target as Element).closest('svg[class^="plot-"]') !== null;
  const pointAt = (event: Event) => {
    // A chart tells of its lines itself.
    if (!isInChart(event)) point(placeAt(event));
  };
  const pin = (event: Event) => {
    const place = isInChart(event) ? pointed : placeAt(event);
    if (place === 0 || (event.target as Element).closest("input, select, a")) return;
    pinned = pinned === place ? 0 : place;
    show();
  };
  const pointInChart = ({ target }: Event) => {
    const { value } = target as Element & { value?: { run?: string } | null };
    if (target instanceof Element && target.matches("figure, svg"))
      point(runs.findIndex(({ name }) => name === value?.run) + 1);
  };
  root.addEventListener("pointerover", pointAt, { signal });
  root.addEventListener("focusin", pointAt, { signal });
  root.addEventListener("focusout", () => point(0), { signal });
  root.addEventListener("pointerleave", () => point(0), { signal });
  root.addEventListener("click", pin, { signal });
  root.addEventListener("input", pointInChart, { signal });
  // What is drawn anew comes later.
  const observer = new MutationObserver(show);
  observer.observe(root, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  show();
}
