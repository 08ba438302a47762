import { element, say } from "../page/element.js";
import { tellTrouble, topicOf } from "../page/help.js";

/** An input for `view`, whose value is what came of what the reader asked for; null before. */
export type Asked<T> = HTMLElement & { value: T | null };

/**
 * A button for what takes long, beside which stands what goes on, or what went wrong.
 * @param compute told where to note its progress
 * @param unable why it cannot be asked for here, as a sentence
 */
export function asked<T>(
  label: string,
  compute: (note: (progress: string) => void) => Promise<T>,
  unable = "",
): Asked<T> {
  const status = element("span", { class: "figure-note", role: "status" });
  tellTrouble(status, unable, "There is no GPU");
  const note = (progress: string) => say(status, progress, false);
  const onclick = async () => {
    button.disabled = true;
    try {
      node.value = await compute(note);
      note("");
      node.dispatchEvent(new Event("input", { bubbles: true }));
    } catch (error) {
      status.ariaLive = "polite";
      tellTrouble(status, (error as Error).message, topicOf(error as Error));
    } finally {
      button.disabled = false;
    }
  };
  const button = element("button", { type: "button", class: "primary", disabled: unable !== "", onclick }, label);
  const node = element("div", { class: "held-look" }, button, status) as unknown as Asked<T>;
  node.value = null;
  return node;
}
