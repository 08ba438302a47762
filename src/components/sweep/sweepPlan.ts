import { html } from "htl";
import { ConfigError } from "../../engine/config.js";
import { type PartialConfig, type Sweep, sweepOf } from "../../engine/sweep/sweep.js";
import { setText } from "../page/element.js";
import { counted } from "../page/format.js";
import { showError } from "../page/help.js";
import type { SweepRow } from "./sweepTraining.js";

/** An input for `view`: its value is the last valid sweep. It shows why a later one is invalid. */
type SweepPlan = HTMLElement & {
  value: Sweep | undefined;
  /** Sets the sweep, or shows why it is invalid; returns the input. */
  take(config: PartialConfig, vary: object, random?: number): SweepPlan;
};

/** Returns the input of the planned sweep. */
export function sweepPlan(): SweepPlan {
  const node = html<SweepPlan>`<p class="refusal" role="status"></p>`;
  node.take = (config, vary, random) => {
    let reason = "Choose a setting to vary, and its values.";
    try {
      if (Object.keys(vary).length > 0) {
        node.value = sweepOf(config, vary as Record<string, unknown>, random);
        setText(node, "");
        return node;
      }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      reason = error.message;
    }
    const message = node.value ? `${reason} The previous sweep is shown below.` : reason;
    showError(node, message, "A setting is refused");
    return node;
  };
  return node;
}

/** Returns how many runs a sweep has and how many of them have results, in sentences. */
export function planSentence({ vary, random }: Sweep, runs: readonly SweepRow[]): string {
  const refused = runs.filter(({ status }) => status === "refused");
  const trainable = runs.length - refused.length;
  const finished = runs.filter(({ status }) => status === "done" || status === "failed").length;
  const sizes =
    vary.length > 1 && random === undefined ? `, ${vary.map(({ values }) => values.length).join(" × ")}` : "";
  const parts = [`${counted(runs.length, "run")}${sizes}`];
  if (refused.length > 0) parts.push(`of which ${refused.length} cannot be trained`);
  const sentences = [`${parts.join(", ")}.`];
  if (finished > 0 && finished < trainable)
    sentences.push(`${finished} of them ${finished === 1 ? "has a result" : "have results"}.`);
  else if (finished > 0) sentences.push(trainable === 1 ? "It has a result." : "All of them have results.");
  if (trainable === 0) sentences.push(refused[0].sentence);
  return sentences.join(" ");
}
