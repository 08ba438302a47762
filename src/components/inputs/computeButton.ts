import { html } from "htl";
import { announce } from "../page/element.js";
import { helpTopicOf, showError } from "../page/help.js";

/** An input for `view`. Its value is the result of the latest computation, or null before the first. */
export type ComputeButton<T> = HTMLElement & { value: T | null };

/**
 * Returns a button that starts a long computation, with its progress or error next to it.
 * @param compute called with a function that shows the progress
 * @param unavailable the reason why the computation is not possible here, if it is not
 */
export function computeButton<T>(
  label: string,
  compute: (note: (progress: string) => void) => Promise<T>,
  unavailable = "",
): ComputeButton<T> {
  const status = html`<span class="quiet" role="status"></span>`;
  showError(status, unavailable, "There is no GPU");
  const note = (progress: string) => announce(status, progress, false);
  const onclick = async () => {
    button.disabled = true;
    try {
      node.value = await compute(note);
      note("");
      node.dispatchEvent(new Event("input", { bubbles: true }));
    } catch (error) {
      status.ariaLive = "polite";
      showError(status, (error as Error).message, helpTopicOf(error as Error));
    } finally {
      button.disabled = false;
    }
  };
  const button = html<HTMLButtonElement>`<button
    type="button" class="primary" disabled=${unavailable !== ""} onclick=${onclick}
  >${label}</button>`;
  const node: ComputeButton<T> = Object.assign(html`<div class="row">${button}${status}</div>`, {
    value: null,
  });
  return node;
}
