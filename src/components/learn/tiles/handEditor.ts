import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { numberField } from "../../inputs/numberField.js";
import { oneTabStop } from "../../inputs/oneTabStop.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { setText } from "../../page/element.js";
import { ellipseGrips } from "../ellipseGrips.js";
import { type HandBlob, handBlobs, handLimits, handSize } from "./handScene.js";

/** An input for `view` with blobs as its value that the reader moves. */
export type HandEditor = HTMLElement & {
  /** The blobs, and the one that was chosen last, null before the first choice. */
  value: { blobs: HandBlob[]; chosen: number | null };
  /** The handles, to be laid over the image. */
  grips: SVGSVGElement;
  /** Chooses a blob as a click on it does. */
  choose(blob: number): void;
  /** Moves the handles and sliders to a blob. */
  show(blob: number): void;
};

const { thinnest, longest } = handLimits;

/** Returns an editor of nine blobs, to be dragged, widened and turned by pointer, keys or sliders. */
export function handEditor(): HandEditor {
  let blobs = handBlobs();
  let selected = 0;
  const choose = (blob: number) => {
    node.show(blob);
    setInputValue(node, { blobs, chosen: blob });
  };
  const change = (index: number, changes: Partial<HandBlob>) => {
    blobs = blobs.with(index, { ...blobs[index], ...changes });
    choose(index);
  };

  const sliders = Inputs.form<Record<"length" | "width" | "angle", number>>({
    length: numberField("Length σ in pixels", [thinnest, longest], { value: 1, step: 0.1 }),
    width: numberField("Width σ in pixels", [thinnest, longest], { value: 1, step: 0.1 }),
    angle: numberField("Rotation in degrees", [-90, 90], { value: 0 }),
  });
  // The editor has input events of its own.
  sliders.oninput = (event) => {
    event.stopPropagation();
    change(selected, sliders.value);
  };
  const title = html`<strong>`;
  const reset = () => {
    blobs = handBlobs();
    choose(selected);
  };
  const resetButton = html`<button type="button" onclick=${reset}>Reset</button>`;
  const node = html`<div class="hand-editor">${title}${sliders}${resetButton}</div>` as HandEditor;

  const grips = ellipseGrips(blobs.length, {
    size: handSize,
    limits: handLimits,
    label: (index) =>
      `Blob ${index}: press Enter to grab it; then the arrow keys move it, with Shift rotate and lengthen it, with Alt widen it`,
    ellipseOf: (index) => blobs[index],
    change,
    // Handles are at the sides of the box.
    reach: { body: 1.6, handle: 4 },
    isGrabbed: true,
  });
  for (const [index, body] of grips.bodies.entries()) {
    body.onfocus = () => {
      if (index !== selected) choose(index);
    };
    linkThings(body, `blob:hand.${index}`);
  }
  oneTabStop(grips);
  node.show = (blob) => {
    selected = blob;
    grips.show(selected);
    setText(title, `Blob ${blob}`);
    const { length, width, angle } = blobs[blob];
    const { value } = sliders;
    // A number that is being typed stays as it is.
    if (value.length !== length || value.width !== width || value.angle !== angle)
      sliders.value = { length, width, angle };
  };
  node.value = { blobs, chosen: null };
  node.show(0);
  return Object.assign(node, { grips, choose });
}
