import { figure } from "../../figures/figure.js";
import { standsFor } from "../../figures/pointed.js";
import { element } from "../../page/element.js";
import { numberText } from "../../page/numberText.js";
import { bothWays, type Layer } from "./overModel.js";
import { colorOf } from "./pixelStack.js";
import { colorPanel, colorText, swatch } from "./swatch.js";

/**
 * The same layers blended from the front, with the light that is left, and from the back, over what is there: one colour.
 * @param layers front to back
 * @param done how many of them are blended
 */
export function overFigure(layers: readonly Layer[], background: readonly number[], done: number): HTMLElement {
  const { forward, backward, fromFront, fromBack } = bothWays(layers, background);
  const { transmittance: T } = forward[done];
  const apart = Math.max(...fromFront.map((c, channel) => Math.abs(c - fromBack[channel])));
  const order = layers.map((_, place) => place);
  const [front, back] = [colorOf(forward[done]), backward[done]];
  const behind = done === 0 ? "background" : "opaque";
  const column = (title: string, formula: string, order: number[], color: number[], T: number, note: string) =>
    element(
      "div",
      {},
      element("strong", {}, title),
      element("p", { class: "small-note" }, formula),
      layerBar(layers, order, done),
      colorPanel(color, T, colorText(color), note),
    );
  const verdict =
    done === layers.length
      ? `Front to back: C + T × background = ${colorText(fromFront)}. Back to front: ${colorText(fromBack)}. They differ by ${numberText(apart, 3)}, the rounding of float64.`
      : "Step to the last layer to compare.";
  return figure(
    {
      title: "Front to back and back to front",
      alt: "The same layers blended in both orders, step by step; the colours at the end are equal.",
      note: "Layer 1 is in front. Change the layers while you step: both columns end in the same colour.",
    },
    element(
      "div",
      { class: "learn-columns" },
      column("Front to back", "C ← C + α T c, and T ← T (1 − α)", order, front, T, `T = ${T.toFixed(4)}`),
      column("Back to front", "C ← α c + (1 − α) C", order.toReversed(), back, 0, behind),
    ),
    element("p", { class: "verdict", role: "status" }, verdict),
  );
}

/** A layer's name beside its colour, for its slider. */
export function layerLabel(color: readonly number[], place: number): HTMLElement {
  return standsFor(element("span", {}, swatch(color), ` Layer ${place + 1}: α`), `layer:${place + 1}`);
}

/** What has been done after so many of the layers, in words. */
export function describeLayers(count: number, done: number): string {
  if (done === 0) return "No layer yet: front to back has T = 1, back to front has the background.";
  return `Front to back adds layer ${done} behind the others; back to front puts layer ${count - done + 1} over the result.`;
}

/** @param order the places of the layers as they come */
function layerBar(layers: readonly Layer[], order: readonly number[], done: number): HTMLElement {
  const fields = layers.map(({ color, alpha }, place) => {
    const turn = order.indexOf(place);
    const name = `${turn < done ? "is-done" : ""} ${turn === done - 1 ? "is-current" : ""}`;
    const premultiplied = color.map((c) => c * alpha);
    const field = swatch(premultiplied, 1 - alpha, name);
    field.append(String(place + 1));
    return standsFor(field, `layer:${place + 1}`);
  });
  return element("div", { class: "over-layers", "aria-hidden": "true" }, ...fields);
}
