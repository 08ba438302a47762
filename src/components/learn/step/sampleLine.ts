import { element } from "../../element.js";
import { count } from "../../format.js";
import { standsFor } from "../marks.js";
import type { StepSample } from "./stepSample.js";

/** A line that says which blob and pixel of the run is looked at. */
export function sampleLine(): { node: HTMLElement; show(sample: StepSample): void } {
  const node = element("p", { class: "sample-line" });
  return {
    node,
    show({ blobs, place, pixel: { x, y }, state, target, alpha }) {
      const blob = blobs[place];
      const swatch = element("span", {
        class: "sample-swatch",
        style: `background: rgb(${target.map((channel) => 255 * channel).join(" ")})`,
      });
      node.replaceChildren(
        "At step ",
        count(state.step),
        ", ",
        standsFor(element("span", { tabindex: 0 }, `blob ${count(blob)}`), `blob:${blob}`),
        ` with α = ${alpha.toPrecision(3)}, number ${place + 1} of the ${blobs.length} at `,
        standsFor(element("span", { tabindex: 0 }, `pixel (${x}, ${y})`), `pixel:${x},${y}`),
        ", where this colour is wanted: ",
        swatch,
      );
    },
  };
}
