import { ConfigError } from "../../engine/config.js";
import { type Given, sweepOf } from "../../engine/sweep.js";
import type { ChosenPicture } from "../../host/pictures.js";
import { element, setText } from "../element.js";
import type { Sweeper } from "./sweeper.js";
import { planSentence } from "./sweepWords.js";

/** Plans a sweep, and says what it comes to, or why it is none. */
export function sweepPlan(
  sweeper: Sweeper,
  config: Given,
  vary: Record<string, unknown>,
  target: ChosenPicture,
): HTMLElement {
  const node = element("p", { class: "plan", "aria-live": "polite" });
  const ignore = sweeper.observe(() => {
    if (!node.isConnected) return ignore();
    const text = planSentence(sweeper);
    setText(node, text);
  });
  const refuse = (why: string) => {
    ignore();
    sweeper.stop();
    node.textContent = sweeper.sweep ? `${why} What stands below is the sweep before it.` : why;
    node.classList.add("wrong");
  };
  if (Object.keys(vary).length === 0) {
    refuse("Choose a setting that varies, and its values.");
    return node;
  }
  try {
    void sweeper.plan(sweepOf(config, vary), target);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refuse(error.message);
  }
  return node;
}
