import type { ComparedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";

/**
 * Points a run out in all of a page: whatever carries `data-run`, the place of a chosen run counted from 1, marks that
 * run while the pointer or the keyboard is on it, and pins it with a click; so does a line under the pointer. The
 * stylesheet does the rest, from `data-marked` on the root and `aria-current` on the places.
 * @param signal ends it
 */
export function markRuns(root: HTMLElement, comparison: Comparison, signal: AbortSignal): void {
  const runAt = (event: Event): ComparedRun | undefined => {
    const place = (event.target as Element).closest?.<HTMLElement>("[data-run]")?.dataset.run;
    return place === undefined ? undefined : comparison.chosen[Number(place) - 1];
  };
  const point = (event: Event) => {
    // A chart tells of its lines itself.
    if (!(event.target as Element).closest?.(".by-run")) comparison.point(runAt(event));
  };
  root.addEventListener("pointerover", point, { signal });
  root.addEventListener("focusin", point, { signal });
  root.addEventListener("focusout", () => comparison.point(undefined), { signal });
  root.addEventListener("pointerleave", () => comparison.point(undefined), { signal });
  root.addEventListener(
    "click",
    (event) => {
      const isInChart = (event.target as Element).closest(".by-run");
      const run = isInChart ? comparison.pointed : runAt(event);
      if (run && !(event.target as Element).closest("input, select, a")) comparison.pin(run);
    },
    { signal },
  );
  // Plot says which point is nearest to the pointer.
  root.addEventListener(
    "input",
    (event) => {
      const chart = event.target as Element & { value?: { name?: string } | null };
      if (!chart.closest(".by-run") || !("value" in chart)) return;
      const name = chart.value?.name;
      comparison.point(comparison.chosen.find((run) => run.name === name));
    },
    { signal },
  );
  const show = () => {
    const { marked, pinned } = comparison;
    const place = marked ? comparison.chosen.indexOf(marked) + 1 : 0;
    if (place > 0) root.dataset.marked = String(place);
    else delete root.dataset.marked;
    const pinnedPlace = pinned ? comparison.chosen.indexOf(pinned) + 1 : 0;
    for (const node of root.querySelectorAll<HTMLElement>("[data-run]")) {
      const isMarked = node.dataset.run === String(place);
      node.ariaCurrent = isMarked ? "true" : null;
      if (node.matches("button")) node.ariaPressed = String(node.dataset.run === String(pinnedPlace));
    }
  };
  const ignore = [
    comparison.observe("marked", show),
    // What is drawn anew comes a moment after.
    comparison.observe("runs", () => queueMicrotask(show)),
  ];
  signal.addEventListener("abort", () => {
    for (const end of ignore) end();
  });
}
