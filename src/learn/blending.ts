// The model of the chapter blending.md, built on the CPU reference. The charts are in the page.
import { signatureOf } from "../components/learn/flow/variableUses.js";
import type { BlendStep } from "../components/learn/pixelStack.js";
import { colorOf, newPixelState } from "../components/learn/pixelStack.js";
import { alphaBlend, compositeChannel, lowestTransmittance } from "../engine/model/blend.js";
import type { ShaderLibrary } from "../engine/shaders.js";

export { channelsOf, cssColor } from "../components/figures/swatch.js";
export { drawSnapshot } from "../components/learn/drawSnapshot.js";
export { blendingExercise } from "../components/learn/exercises/blending.js";
export { blendSteps, colorOf, stackAt } from "../components/learn/pixelStack.js";
export { compositeChannel };

/** A layer of a stack: its colour, 0..1, and the fraction α of what is behind it that it covers. */
interface Layer {
  color: number[];
  alpha: number;
}

/** Pattern of a text field for three to six numbers from 0 to 0.99. */
export const alphaPattern = "\\s*(0?\\.\\d{1,2}\\s+){2,5}0?\\.\\d{1,2}\\s*";

/** Returns the numbers in a text. */
export function readAlphas(text: string): number[] {
  return text.trim().split(/\s+/).map(Number);
}

/**
 * Blends layers and a background in both orders. Returns a table with a row for each order and step: the index of what the
 * step adds (for the background the number of layers), the colour so far, 0..1 and premultiplied, and the part T left open.
 * @param layers front to back
 */
export function recordOrders(layers: readonly Layer[], background: readonly number[]) {
  const state = newPixelState();
  const forward = layers.map(({ alpha, color: [red, green, blue] }, added) => {
    alphaBlend(state, { red, green, blue }, alpha, 1);
    return { added, color: colorOf(state), T: state.transmittance };
  });
  const over = colorOf(state).map((c, channel) => c + state.transmittance * background[channel]);
  forward.push({ added: layers.length, color: over, T: 0 });
  const backward = [{ added: layers.length, color: [...background], T: 0 }];
  for (const [index, { alpha, color }] of [...layers.entries()].reverse()) {
    const behind = backward.at(-1)!.color;
    backward.push({ added: index, color: color.map((c, i) => alpha * c + (1 - alpha) * behind[i]), T: 0 });
  }
  const table = (order: string, rows: typeof forward) => rows.map((row, i) => ({ order, step: i + 1, ...row }));
  return [...table("front to back", forward), ...table("back to front", backward)];
}

/** Returns a sentence on the state after some of a pixel's blobs. */
export function describeBlend(
  steps: readonly Pick<BlendStep, "index" | "alpha" | "weight" | "after" | "isApplied">[],
  count: number,
): string {
  if (count === 0) return `Before the first of ${steps.length} blobs: C = 0, T = 1.`;
  const { index, alpha, weight, after, isApplied } = steps[count - 1];
  const blob = `Blob ${count} of ${steps.length} (index ${index})`;
  const T = `T = ${after.transmittance.toFixed(4)}`;
  if (!isApplied) return `${blob} is skipped: ${T} was below 1/255.`;
  const sum = `${T}, accumulated α = ${(1 - after.transmittance).toFixed(4)}`;
  const crossed = after.transmittance < lowestTransmittance ? " It crosses 1/255, and is still applied." : "";
  return `${blob}: α = ${alpha.toFixed(3)}, weight αT = ${weight.toFixed(3)}. ${sum}. C = ${colorOf(after)
    .map((c) => c.toFixed(2))
    .join(", ")}.${crossed}`;
}

/** Returns a sentence on a step of both orders. */
export function describeOrders(orders: ReturnType<typeof recordOrders>, step: number): string {
  const last = orders.length / 2;
  if (step === 0) return `Before the first of ${last} steps.`;
  const [front, back] = orders.filter((row) => row.step === step).map(({ color }) => color);
  const text = (color: number[]) => color.map((c) => c.toFixed(3)).join(", ");
  if (step === last) return `All blended: ${text(front)} and ${text(back)}.`;
  return `Step ${step} of ${last}: C = ${text(front)} front to back, q = ${text(back)} back to front.`;
}

/** The functions of a tile's stages, in order. */
const stageNames = ["initShortList", "coarseRasterize", "padBuffer", "bitonicSort", "fineRasterize"];

/** Returns the stages of a tile with the tokens that they take and return, read from their WGSL. */
export function listStages(shaders: ShaderLibrary) {
  const token = (type: string) => (type.endsWith("ShortList") ? type : undefined);
  return stageNames.map((name, place) => {
    const { takes, returns } = signatureOf(shaders.get(`tiled/${name}.wgsl`)!, name);
    return { name, place, takes: token(takes), returns: token(returns) };
  });
}
