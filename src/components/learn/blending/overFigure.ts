import { html } from "htl";
import { figure } from "../../figures/figure.js";
import { linkThings } from "../../figures/pointing.js";
import { numberText } from "../../page/numberText.js";
import { largestDifference } from "../largest.js";
import { blendBothOrders, type Layer } from "./overModel.js";
import { colorOf } from "./pixelStack.js";
import { colorPanel, colorText, swatch } from "./swatch.js";

/**
 * Returns a figure of layers blended front to back, with transmittance, and back to front, over the background.
 * @param layers front to back
 * @param blendedCount number of layers that are blended
 */
export function overFigure(layers: readonly Layer[], background: readonly number[], blendedCount: number): HTMLElement {
  const { forward, backward, fromFront, fromBack } = blendBothOrders(layers, background);
  const { transmittance: T } = forward[blendedCount];
  const difference = largestDifference(fromFront, fromBack);
  const order = layers.map((_, index) => index);
  const [front, back] = [colorOf(forward[blendedCount]), backward[blendedCount]];
  const behind = blendedCount === 0 ? "background" : "opaque";
  const column = (title: string, formula: string, order: number[], color: number[], T: number, note: string) =>
    html`<div>
      <strong>${title}</strong>
      <p class="small-note">${formula}</p>
      ${layerBar(layers, order, blendedCount)}${colorPanel(color, T, colorText(color), note)}
    </div>`;
  const verdict =
    blendedCount === layers.length
      ? `Front to back: C + T × background = ${colorText(fromFront)}. Back to front: ${colorText(fromBack)}. They differ by ${numberText(difference, 3)}, the rounding of float64.`
      : "Step to the last layer to compare.";
  return figure(
    {
      title: "Front to back and back to front",
      alt: "The same layers blended in both orders, step by step; the colours at the end are equal.",
      note: "Layer 1 is in front. Change the layers while you step: both columns end in the same colour.",
    },
    html`<div class="learn-columns">
      ${column("Front to back", "C ← C + α T c, and T ← T (1 − α)", order, front, T, `T = ${T.toFixed(4)}`)}
      ${column("Back to front", "q ← α c + (1 − α) q", order.toReversed(), back, 0, behind)}
    </div>`,
    html`<p class="verdict" role="status">${verdict}</p>`,
  );
}

/** Returns the label of a layer's slider: its colour and name. */
export function layerLabel(color: readonly number[], index: number): HTMLElement {
  return linkThings(html`<span>${swatch(color)} Layer ${index + 1}: α</span>`, `layer:${index + 1}`);
}

/** Describes the last layer that was blended. */
export function describeLayers(count: number, blendedCount: number): string {
  if (blendedCount === 0) return "No layer yet: front to back has T = 1, back to front has the background.";
  return `Front to back adds layer ${blendedCount} behind the others; back to front puts layer ${count - blendedCount + 1} over the result.`;
}

/** @param order indices of the layers in the order of blending */
function layerBar(layers: readonly Layer[], order: readonly number[], blendedCount: number): HTMLElement {
  const swatches = layers.map(({ color, alpha }, index) => {
    const position = order.indexOf(index);
    const name = `${position < blendedCount ? "is-done" : ""} ${position === blendedCount - 1 ? "is-current" : ""}`;
    const premultiplied = color.map((c) => c * alpha);
    const layerSwatch = swatch(premultiplied, 1 - alpha, name);
    layerSwatch.append(String(index + 1));
    return linkThings(layerSwatch, `layer:${index + 1}`);
  });
  return html`<div class="over-layers" aria-hidden="true">${swatches}</div>`;
}
