import { html } from "htl";
import type { Gpu } from "../../../engine/gpu/device.js";
import type { PixelState } from "../../../engine/model/blend.js";
import { figure } from "../../figures/figure.js";
import { linkThings } from "../../figures/pointing.js";
import { scrollIntoBox } from "../../figures/scrollIntoBox.js";
import { colorPanel, colorText, swatch } from "../../figures/swatch.js";
import { tableOf } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import { numberText, tickText, withMinus } from "../../page/numberText.js";
import type { PixelTrace } from "../blending/pixelKernel.js";
import { colorOf, newPixelState } from "../pixelStack.js";
import { stateBytes, undoBytes } from "./cacheModel.js";
import type { UndoWalk } from "./undoModel.js";

/** Returns the number of steps of a walk: the start, each blob forward, the loss, and each blob backward. */
export function walkLength({ forward }: UndoWalk): number {
  return 2 * forward.length + 2;
}

/** Returns the number of blobs that are blended, and undone again, at a step of a walk. */
function progressAt({ forward }: UndoWalk, at: number): { blendedCount: number; undoneCount: number } {
  return { blendedCount: Math.min(at, forward.length), undoneCount: Math.max(at - forward.length - 1, 0) };
}

/** Describes a step of a walk in a sentence. */
export function describeWalk(walk: UndoWalk, at: number): string {
  const { forward, backward, squaredError, dEnd } = walk;
  const n = forward.length;
  if (at === 0) return `Before the first of ${counted(n, "blob")} with α > 0.`;
  if (at <= n) {
    const { index, alpha, after } = forward[at - 1];
    return `Forward, ${at} of ${n}: blob ${index}, α = ${alpha.toFixed(8)}, gives T = ${after.transmittance.toFixed(8)}.`;
  }
  if (at === n + 1) {
    return `The loss: squared error ${squaredError.toFixed(6)}, T̄ = ${numberText(dEnd.transmittance, 3)}. The backward pass begins.`;
  }
  const { blend, undone } = backward[at - n - 2];
  const gap = undone.transmittance - blend.before.transmittance;
  const comparison =
    gap === 0 ? "bit-identical to the cached value" : `${numberText(Math.abs(gap), 3)} from the cached value`;
  const T = `T = ${blend.after.transmittance.toPrecision(8)} ÷ (1 − ${blend.alpha.toFixed(8)}) = ${undone.transmittance.toFixed(6)}`;
  return `Backward, ${at - n - 1} of ${n}: blob ${blend.index}. ${T}, ${comparison}.`;
}

/** Names of the lines of code that undo a blob and compute its gradient. */
const undoCodeLines = [
  "code:undo.eval",
  "code:undo.before",
  "code:undo.divide",
  "code:undo.adjoint",
  "code:undo.color",
  "code:undo.parameters",
];

/** Returns the names of the lines of code that run at a step of a walk. */
export function walkCodeLines(walk: UndoWalk, at: number): string[] {
  return progressAt(walk, at).undoneCount === 0 ? [] : undoCodeLines;
}

/** Returns a figure of both passes over a pixel, with cached states and with the undo. */
export function undoFigure(walk: UndoWalk, at: number): HTMLElement {
  const { forward, end, backward } = walk;
  const { blendedCount, undoneCount } = progressAt(walk, at);
  const undone = backward[undoneCount - 1];
  const currentState = at > forward.length ? end : (forward[at - 1]?.after ?? newPixelState());
  // Caching also stores the states before blobs with α = 0.
  const states = undone ? undone.blend.position - 1 : (forward[blendedCount - 1]?.position ?? 0);
  return figure(
    {
      title: "Caching every state and undoing the last one",
      alt: "One pixel's blobs, forward and then backward. On one side every state is cached; on the other only the last, from which the others are reconstructed.",
      note: "In the forward pass, the left side stores a state per blob, even if α is 0 there. In the backward pass it reads them again, while the right side divides. Both use float32.",
      isWide: true,
    },
    html`<div class="undo-sides">
      ${memoryPanel("Caching", undone?.blend.before ?? currentState, states, "states cached", stateBytes)}
      ${memoryPanel("Undoing", undone?.undone ?? currentState, 1, "state stored", undoBytes)}
    </div>`,
  );
}

/** Cached states that are drawn at most. */
const maxBoxes = 120;

/** Returns the current state of one method, and its memory. */
function memoryPanel(title: string, state: PixelState, states: number, label: string, bytes: number): HTMLElement {
  const { transmittance: T } = state;
  const lines = [`T = ${T.toFixed(8)}`, `C = ${colorText(colorOf(state))}`];
  return html`<div>
    <strong>${title}</strong>
    ${colorPanel(colorOf(state), T, ...lines)}
    <p class="undo-memory">${count(states)} ${label}, ${count(states * bytes)} bytes</p>
    <div class="undo-boxes" aria-hidden="true">${"■ ".repeat(Math.min(states, maxBoxes))}</div>
  </div>`;
}

/** Returns a table with a row per blob, front to back: the cached and the undone T before it, and its gradients. */
export function undoTable(walk: UndoWalk, at: number): HTMLElement {
  const { blendedCount, undoneCount } = progressAt(walk, at);
  const n = walk.forward.length;
  const current = undoneCount > 0 ? n - undoneCount : blendedCount - 1;
  const gradients = walk.backward.flatMap(({ fromUndone: { dAlpha, dColor } }) => [dAlpha, ...dColor].map(Math.abs));
  const unit = 10 ** Math.floor(Math.log10(Math.max(...gradients) || 1));
  const number = (value: number) => withMinus((value / unit).toFixed(3)).replace("−0.000", "0.000");
  const rows = walk.backward.toReversed().map(({ blend, undone, fromUndone }, position) => {
    const isUndone = position >= n - undoneCount;
    const isCurrent = position === current;
    // Only the current state is still in use.
    const faded = isUndone && !isCurrent && "is-gone";
    const cell = (isKnown: boolean, text: string, name: string | false = false) =>
      html`<td class=${name}>${isKnown ? text : ""}</td>`;
    const { before, blob, index, alpha } = blend;
    const cells = [
      html`<th scope="row">${swatch(colorOf(blob))} ${index}</th>`,
      cell(true, alpha.toFixed(4)),
      cell(position < blendedCount, before.transmittance.toFixed(8), faded),
      cell(isUndone, undone.transmittance.toFixed(8), faded),
      cell(isUndone, numberText(undone.transmittance - before.transmittance, 3)),
      cell(isUndone, number(fromUndone.dAlpha)),
      cell(isUndone, fromUndone.dColor.map(number).join(", ")),
    ];
    const row = html`<tr class=${isCurrent && "current"}>${cells}</tr>`;
    return linkThings(row, `blob:${index}`);
  });
  const heads = ["blob", "α", "T, cached", "T, undone", "difference", "ᾱ", "c̄, rgb"];
  const box = html`<div class="undo-table" tabindex="0" role="region" aria-label="The pixel's blobs, their states and gradients">
    ${tableOf(heads, rows)}
  </div>`;
  requestAnimationFrame(() => scrollIntoBox(box, rows[current] ?? null));
  return html`<div>
    ${box}
    <p class="small-note">T is in front of the blob. The adjoints ᾱ and c̄ are in units of ${tickText(unit)}.</p>
  </div>`;
}

/** Returns a sentence that compares the backward pass of the kernel with the CPU reference. */
export function describeKernelUndo(gpu: Gpu, { backward }: UndoWalk, trace: PixelTrace): string {
  const referenceGradients = new Map(backward.map((step) => [step.blend.index, step.fromUndone.dAlpha]));
  const largest = Math.max(...trace.backward.map(({ dAlpha }) => Math.abs(dAlpha)));
  const differences = trace.backward.map(({ blob, dAlpha }) =>
    Math.abs(dAlpha - (referenceGradients.get(blob) ?? dAlpha)),
  );
  const gap = largest > 0 ? Math.max(...differences) / largest : 0;
  const startText = `It ends with T = ${trace.start[3].toFixed(8)}; the exact value is 1`;
  const gradients = `its adjoints ᾱ differ from those of the CPU reference by at most ${numberText(gap, 3)} of the largest`;
  return `The kernel ran at this pixel on ${gpu.description}. It undoes ${counted(trace.backward.length, "blob")}. ${startText}; ${gradients}.`;
}
