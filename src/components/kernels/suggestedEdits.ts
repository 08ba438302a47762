import { html } from "htl";
import { button, setText } from "../page/element.js";
import { updateWhileShown } from "../training/follow.js";
import type { LiveKernels } from "./liveKernels.js";

/** An edit of a kernel: a text of a file, and its replacement. */
interface SuggestedEdit {
  name: string;
  /** What the page then shows. */
  effect: string;
  file: string;
  before: string;
  after: string;
}

export const suggestedEdits: SuggestedEdit[] = [
  {
    name: "Square falloff",
    effect: "Each blob is a flat ellipse with a hard edge. The backward pass still assumes a Gaussian.",
    file: "shared/blob.wgsl",
    before: "select(0.0, exp(power), power >= LOWEST_POWER)",
    after: "select(0.0, 1.0, power >= -2.0)",
  },
  {
    name: "No transmittance undo",
    effect: "The backward pass takes the pixel's last transmittance for every blob, so colour gradients are too small.",
    file: "shared/blend.wgsl",
    before: "let transmittance = pixel.a / (1.0 - ATTENUATION * blob.a);",
    after: "let transmittance = pixel.a;",
  },
  {
    name: "Wrong sign of colour gradients",
    effect: "Colours move away from the target.",
    file: "shared/blob.wgsl",
    before: "    d.rgb,\n",
    after: "    -d.rgb,\n",
  },
];

/**
 * Returns buttons that apply the suggested edits to the editor's files and revert them.
 * @param openAt opens a file at a line
 */
export function suggestedEditsPanel(live: LiveKernels, openAt: (file: string, line: number) => void): HTMLElement {
  const { edits } = live;
  const has = (file: string, part: string) => edits.text(file).includes(part);
  const replace = (file: string, from: string, to: string) => edits.set(file, edits.text(file).replace(from, to));
  const buttons = suggestedEdits.map(({ name, file, before, after }) =>
    button(name, () => {
      const line = edits.text(file).split(before)[0].split("\n").length;
      replace(file, before, after);
      openAt(file, line);
    }),
  );
  const applied = () => suggestedEdits.filter(({ file, before, after }) => has(file, after) && !has(file, before));
  const revert = button("Revert edit", () => {
    for (const { file, before, after } of applied()) replace(file, after, before);
  });
  const note = html`<p class="quiet" role="status"></p>`;
  const node = html`<div class="suggested-edits">
    <div class="row" role="group" aria-label="Edits to try">${[...buttons, revert]}</div>
    ${note}
  </div>`;
  void updateWhileShown(live.change, node, () => {
    for (const [index, { file, before }] of suggestedEdits.entries()) buttons[index].disabled = !has(file, before);
    revert.disabled = applied().length === 0;
    const checked = live.status !== "running" || !live.check ? "" : live.check.agrees ? "passes" : "fails";
    const effects = applied().map(({ effect }) => effect);
    const result = checked && effects.length > 0 ? `The gradient check ${checked}.` : "";
    const hint = "Try one of these edits, and compare the render and the curve with those of the run before.";
    setText(note, effects.length === 0 ? hint : [...effects, ...live.uncalled, result].join(" "));
  });
  return node;
}
