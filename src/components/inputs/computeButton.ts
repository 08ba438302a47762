import { announce, element } from "../page/element.js";
import { helpTopicOf, showError } from "../page/help.js";

/** An input for `view`, whose value is what came of what the reader asked for; null before. */
export type ComputeButton<T> = HTMLElement & { value: T | null };

/**
 * A button for what takes long, beside which stands what goes on, or what went wrong.
 * @param compute told where to note its progress
 * @param unavailable why it cannot be asked for here, as a sentence
 */
export function computeButton<T>(
  label: string,
  compute: (note: (progress: string) => void) => Promise<T>,
  unavailable = "",
): ComputeButton<T> {
  const status = element("span", { class: "figure-note", role: "status" });
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
  const button = element("button", { type: "button", class: "primary", disabled: unavailable !== "", onclick }, label);
  const node = element("div", { class: "held-look" }, button, status) as unknown as ComputeButton<T>;
  node.value = null;
  return node;
}
