import { html } from "htl";
import type { Background } from "../../../engine/config.js";
import type { Image } from "../../../engine/image/image.js";
import { compositeChannel, type PixelState } from "../../../engine/model/blend.js";
import { facts, figure } from "../../figures/figure.js";
import { count } from "../../page/format.js";
import { type Blending, stateAfter, stepOf } from "./blendModel.js";
import type { PixelTrace } from "./pixelKernel.js";
import { colorOf, type PixelStack } from "./pixelStack.js";
import { pixelZoom } from "./pixelZoom.js";
import { colorPanel, colorText, swatch } from "./swatch.js";

/**
 * Returns a figure of a pixel after an event of its blending: the image around it, its values, and its colour over each
 * background.
 * @param trace the kernel's results for the pixel, where known
 */
export function blendFigure(
  image: Image,
  stack: PixelStack,
  blending: Blending,
  eventIndex: number,
  trace: PixelTrace | null,
): HTMLElement {
  const state = stateAfter(blending, eventIndex);
  const { transmittance: T, finalCount } = state;
  const step = stepOf(blending.events[eventIndex]);
  const isEdited = blending.steps.some(({ index, isChanged }, i) => isChanged || index !== stack.blobs[i].index);
  const kernelStep = step && !isEdited ? trace?.forward[step.position - 1] : undefined;
  const numbers = facts({
    "α of this blob": step?.alpha.toFixed(6) ?? "–",
    "weight αT": step?.weight.toFixed(6) ?? "–",
    "T before": step?.before.transmittance.toFixed(6) ?? "–",
    "T after": T.toFixed(6),
    "accumulated α, 1 − T": (1 - T).toFixed(6),
    finalCount: count(finalCount),
    "T after, in the kernel": kernelStep?.after[3].toFixed(7) ?? "–",
  });
  return figure(
    {
      title: "Compositing a pixel of the run",
      alt: "The blobs around the pixel; α of one of them, the transmittance before and after it, its weight and the colour so far.",
      note: "Each blob adds its colour with the weight αT, and reduces T by as much. Change its opacity, colour or position below.",
      isWide: true,
    },
    html`<div class="blend-columns">
      ${pixelZoom(image, stack, blending.shownSteps, step)}
      <div>${[colorPanel(colorOf(state), T, "C so far", colorText(colorOf(state))), numbers]}</div>
      ${backgrounds(stack, state, eventIndex === blending.events.length - 1)}
    </div>`,
  );
}

const formulas = { original: "C (1 − T) + T", white: "C + T", black: "C" };
const labels = { original: "background original", white: "background white", black: "background black" };

/** Returns the colour of a state over each background, next to that of the target. */
function backgrounds({ scene, target }: PixelStack, state: PixelState, isEnd: boolean): HTMLElement {
  const own = scene.config.background;
  const names: Background[] = own === "black" ? ["original", "white", "black"] : ["original", "white"];
  const colorBy = (name: Background) => colorOf(state).map((c) => compositeChannel(c, state.transmittance, name));
  const shown = (color: number[]) => html`<span>${swatch(color)} ${colorText(color)}</span>`;
  const original = colorBy("original");
  const entries = names.map((name) => {
    const note = `${labels[name]}${name === own ? ", as this run" : ""}`;
    return [`${formulas[name]}, ${note}`, shown(colorBy(name))] as const;
  });
  const values = facts({
    ...Object.fromEntries(entries),
    "their difference, C T": colorText(colorBy("white").map((c, channel) => c - original[channel])),
    target: shown(target),
  });
  const heading = isEnd ? "The pixel's colour" : "Its colour if blending ended here";
  return html`<div class="backgrounds"><strong>${heading}</strong>${values}</div>`;
}

/** Returns the names of the lines of code that run in an event. */
export function codeLinesAt({ events }: Blending, eventIndex: number): string[] {
  const lines = {
    start: ["code:blend.loop"],
    blob: ["code:blend.eval", "code:blend.count", "code:blend.formula"],
    stop: ["code:blend.stop"],
    composite: [],
  };
  return lines[events[eventIndex].kind];
}
