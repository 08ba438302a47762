import * as Plot from "@observablehq/plot";
import { element } from "./element.js";
import { levels } from "./rampOffset.js";

/** A colour for each value from 0 to 1. */
export interface ColorRamp {
  /** 4·256 bytes, red, green, blue, 255. */
  bytes: Uint8ClampedArray;
  /** A CSS gradient from 0 to 1. */
  gradient: string;
}

/** The ramp of one of Plot's sequential schemes; those that we use are told apart with any colour vision. */
export function colorRamp(scheme: "inferno" | "viridis" | "cividis"): ColorRamp {
  const scale = Plot.scale({ color: { type: "linear", scheme, domain: [0, 1] } })!;
  const canvas = element("canvas", { width: levels, height: 1 });
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  for (let level = 0; level < levels; level++) {
    context.fillStyle = scale.apply(level / (levels - 1));
    context.fillRect(level, 0, 1, 1);
  }
  const stops = Array.from({ length: 9 }, (_, i) => scale.apply(i / 8)).join(", ");
  return { bytes: context.getImageData(0, 0, levels, 1).data, gradient: `linear-gradient(to right, ${stops})` };
}

/** A legend whose ticks can be changed. */
export function rampLegend(ramp: ColorRamp, label: string): { node: HTMLElement; setTicks(ticks: string[]): void } {
  const ticks = element("div", { class: "ramp-ticks" });
  const bar = element("div", { class: "ramp-bar", style: `background: ${ramp.gradient}` });
  const node = element("div", { class: "ramp" }, element("div", { class: "ramp-label" }, label), bar, ticks);
  return {
    node,
    setTicks: (texts) => ticks.replaceChildren(...texts.map((text) => element("span", {}, text))),
  };
}
