import { onceVisible } from "../../figures/onceVisible.js";
import type { Race } from "./race.js";

/** Seconds of GPU time after which a race that started automatically pauses. */
export const autoStartSeconds = 10;

/**
 * Returns whether a race starts automatically: on a GPU, unless the reader prefers reduced motion.
 */
export function canStartAutomatically({ engine }: Race): boolean {
  return engine.kind === "gpu" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Runs a race for some seconds when its element is first visible. */
export function startWhenSeen(race: Race, node: Element, seconds: number): void {
  if (!canStartAutomatically(race)) return;
  const startIfReady = () => {
    // The reader may have started it before.
    if (race.state === "ready") race.start(seconds);
  };
  onceVisible(node, startIfReady, "-100px");
}
