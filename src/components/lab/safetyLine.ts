import { element, say } from "../page/element.js";
import { count } from "../page/format.js";
import { tellTrouble } from "../page/help.js";
import { whileFollowed } from "../training/follow.js";
import type { RunSafety } from "./runSafety.js";

/**
 * Says how far the run is stored.
 * @param safety or why nothing is stored, as a sentence
 */
export function safetyLine(safety: RunSafety | string): HTMLElement {
  const node = element("p", { class: "safety-line", role: "status" });
  const tell = (sentence: string) => tellTrouble(node, sentence, "Runs or edits cannot be saved");
  if (typeof safety === "string") tell(`Runs cannot be resumed after a reload. ${safety}`);
  else {
    void whileFollowed(safety.change, node, () => {
      if (safety.trouble === undefined) return say(node, describe(safety), false);
      node.ariaLive = "polite";
      tell(`The run cannot be resumed after a reload: ${safety.trouble}`);
    });
  }
  return node;
}

function describe({ storedStep }: RunSafety): string {
  const far = storedStep === undefined ? "" : ` Stored now: step ${count(storedStep)}.`;
  return `The run is stored in this browser about every ten seconds, so that you can resume it after a reload.${far}`;
}
