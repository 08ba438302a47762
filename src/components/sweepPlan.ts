import { ConfigError } from "../engine/config.js";
import { type Given, sweepOf } from "../engine/sweep.js";
import { element } from "./element.js";
import type { ChosenPicture } from "./pictures.js";
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
    if (node.textContent !== text) node.textContent = text;
  });
  try {
    void sweeper.plan(sweepOf(config, vary), target);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    ignore();
    sweeper.stop();
    node.textContent = error.message;
    node.classList.add("wrong");
  }
  return node;
}
