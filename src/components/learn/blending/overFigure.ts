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
  const behind = done === 0 ? "what is behind all" : "opaque";
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
      ? `From the front C + T × background = ${colorText(fromFront)}; from the back ${colorText(fromBack)}. They differ by ${numberText(apart, 3)}, the rounding of float64.`
      : "Step on to the last layer to compare.";
  return figure(
    {
      title: "Front to back, and back to front",
      alt: "The same layers blended in both orders, step by step; the colours at the end are equal.",
      note: "Layer 1 is in front. Change the layers while you step: the two columns always meet in one colour.",
    },
    element(
      "div",
      { class: "learn-columns" },
      column("From the front", "C ← C + α T c, and T ← T (1 − α)", order, front, T, `T = ${T.toFixed(4)}`),
      column("From the back", "C ← α c + (1 − α) C", order.toReversed(), back, 0, behind),
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
  if (done === 0) return "Nothing blended yet: the front has all light, T = 1; the back has what is behind all.";
  return `From the front, layer ${done} is added behind the others; from the back, layer ${count - done + 1} is put over what is there.`;
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
