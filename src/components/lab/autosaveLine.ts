import { html } from "htl";
import { announce } from "../page/element.js";
import { count } from "../page/format.js";
import { showError } from "../page/help.js";
import { updateWhileShown } from "../training/follow.js";
import type { Autosave } from "./autosave.js";

/**
 * Returns a line with the step that is saved for a reload.
 * @param autosave the autosave, or the reason why nothing is saved
 */
export function autosaveLine(autosave: Autosave | string): HTMLElement {
  const node = html`<p role="status"></p>`;
  const showFailure = (sentence: string) => showError(node, sentence, "Runs or edits cannot be saved");
  if (typeof autosave === "string") showFailure(`Runs cannot be resumed after a reload. ${autosave}`);
  else {
    void updateWhileShown(autosave.change, node, () => {
      if (autosave.error === undefined) return announce(node, describe(autosave), false);
      node.ariaLive = "polite";
      showFailure(`The run cannot be resumed after a reload: ${autosave.error}`);
    });
  }
  return node;
}

function describe({ storedStep }: Autosave): string {
  const storedText = storedStep === undefined ? "" : ` Stored now: step ${count(storedStep)}.`;
  return `The run is stored in this browser every few seconds, so that you can resume it after a reload.${storedText}`;
}
