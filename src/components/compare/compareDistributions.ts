import { type ParameterGroup, parameterGroups } from "../../engine/blobs.js";
import { element } from "../element.js";
import { gradientDistributions, parameterDistributions } from "../runs/distributions.js";
import type { Sample } from "../runs/samples.js";
import type { Comparison } from "./comparison.js";
import { forChosen, partsOf } from "./forChosen.js";

/** How the chosen runs' parameters spread, decoded, or their last gradients. */
export function compareDistributions(comparison: Comparison, part: "parameters" | "gradients"): HTMLElement {
  const draw = part === "parameters" ? parameterDistributions : gradientDistributions;
  return forChosen(comparison, 480, async (chosen) => {
    const samples = await partsOf(comparison, chosen, part);
    if (!samples.some(Boolean)) return undefined;
    // A run without values keeps its place, and so the others their colours.
    const charts = draw(samples.map((sample, i) => sample ?? nothingOf(chosen[i].name)));
    return element("div", { class: "by-run one-line" }, charts);
  });
}

function nothingOf(name: string): Sample {
  const values = Object.keys(parameterGroups).map((group) => [group, new Float32Array()]);
  return { name, values: Object.fromEntries(values) as Record<ParameterGroup, Float32Array> };
}
