import { onceVisible } from "../../figures/onceVisible.js";
import type { Race } from "./race.js";

/** Seconds of the adapter that a race takes by itself. */
export const autoStartSeconds = 10;

/**
 * Whether a race begins without being asked: where a GPU runs it, which takes it lightly, and unless the reader wants
 * less to move.
 */
export function canStartAutomatically({ engine }: Race): boolean {
  return engine.kind === "gpu" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Lets a race run for some seconds when its place is first in sight, so that a reader who only scrolls sees it. */
export function startWhenSeen(race: Race, node: Element, seconds = autoStartSeconds): void {
  if (!canStartAutomatically(race)) return;
  const startIfReady = () => {
    // The reader may have begun before.
    if (race.state === "ready") race.start(seconds);
  };
  onceVisible(node, startIfReady, "-100px");
}
