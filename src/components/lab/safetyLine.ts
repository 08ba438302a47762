import { element, say } from "../page/element.js";
import { count } from "../page/format.js";
import { whileFollowed } from "../training/follow.js";
import type { RunSafety } from "./runSafety.js";

/**
 * Says how far the run is stored.
 * @param safety or why nothing is stored, as a sentence
 */
export function safetyLine(safety: RunSafety | string): HTMLElement {
  const node = element("p", { class: "safety-line", role: "status" });
  if (typeof safety === "string") say(node, `After a reload a run cannot go on. ${safety}`, true);
  else void whileFollowed(safety.change, node, () => say(node, describe(safety), safety.trouble !== undefined));
  return node;
}

function describe({ storedStep, trouble }: RunSafety): string {
  if (trouble !== undefined) return `Nothing is stored for after a reload: ${trouble}`;
  const far = storedStep === undefined ? "" : ` Stored now: step ${count(storedStep)}.`;
  return `About every ten seconds the state of the run is stored in this browser, so that it can go on after a reload.${far}`;
}
