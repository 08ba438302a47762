import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import {
  type Blob,
  decode,
  deviationsInPixels,
  highestCorrelation,
  lowestVariance,
  type Model,
} from "../../../engine/model/blob.js";
import { channelsOf, hexOf } from "../../figures/swatch.js";
import { numberField } from "../../inputs/numberField.js";
import { type Ellipse, ellipseGrips } from "../ellipseGrips.js";
import { blobLimits, directParameters, ellipseOf } from "./blobModel.js";

/** An input for `view` with the nine raw parameters of a blob as its value. */
export type BlobInput = HTMLElement & {
  value: number[];
  /** The blob's outline and handles, to be laid over the image. */
  grips: SVGSVGElement;
};

/** The values that have a slider or a field. */
interface Shown {
  deviationX: number;
  deviationY: number;
  correlation: number;
  opacity: number;
  color: string;
}

/** Returns an input of a blob that is dragged, resized and rotated over its image, or changed by sliders. */
export function blobInput(model: Model, start: number[]): BlobInput {
  const { size } = model;
  let parameters = start;
  // Kept while the reader drags, since Σ does not determine which axis is which.
  let ellipse: Ellipse;
  let shown: Shown;
  const { thinnest, longest } = blobLimits;
  const slider = (label: string, range: [number, number], step: number) =>
    numberField(label, range, { value: range[0], step, format: (value: number) => value.toFixed(2) });
  const fields = Inputs.form<Shown>({
    deviationX: slider("Deviation σx", [thinnest, longest], 0.1),
    deviationY: slider("Deviation σy", [thinnest, longest], 0.1),
    correlation: slider("Correlation ρ", [-0.95, 0.95], 0.01),
    opacity: slider("Opacity o", [0.02, 0.98], 0.01),
    color: Inputs.color({ label: "Colour c" }),
  });
  const node = html`<div class="blob-fields" role="group" aria-label="Blob">${fields}</div>` as BlobInput;
  const shownValues = (blob: Blob): Shown => {
    const [deviationX, deviationY] = deviationsInPixels(blob, size);
    const { correlation, opacity, red, green, blue } = blob;
    return { deviationX, deviationY, correlation, opacity, color: hexOf([red, green, blue]) };
  };
  const showBlob = (next: number[], nextEllipse?: Ellipse) => {
    parameters = next;
    ellipse = nextEllipse ?? ellipseOf(decode(parameters, 0, model), size);
    grips.show(0);
  };
  const show = (next: number[], nextEllipse?: Ellipse) => {
    showBlob(next, nextEllipse);
    fields.value = shownValues(decode(parameters, 0, model));
    // As the fields round them.
    shown = fields.value;
  };
  const grips = ellipseGrips(1, {
    size,
    limits: blobLimits,
    label: () => "Blob: the arrow keys move it, with Shift rotate and lengthen it, with Alt widen it",
    ellipseOf: () => ellipse,
    change(_, changes) {
      const moved = { ...ellipse, ...changes };
      const shape = directParameters({ ...moved, color: [0, 0, 0], opacity: 0.5 }).slice(0, 5);
      show([...shape, ...parameters.slice(5)], moved);
      dispatch();
    },
    reach: { body: 2, handle: 2 },
    stalk: 0.08 * size.width,
    // A pixel has the colour of its corner, and is drawn around it.
    origin: -0.5,
    handle: { radius: 0.022 * size.width, touched: 0.06 * size.width },
  });
  const dispatch = () => node.dispatchEvent(new Event("input", { bubbles: true }));
  fields.oninput = (event) => {
    event.stopPropagation();
    const next = fields.value;
    const raw: { [name in keyof Shown]: () => number[] } = {
      deviationX: () => parameters.with(2, 0.5 * Math.log(next.deviationX ** 2 - lowestVariance)),
      deviationY: () => parameters.with(3, 0.5 * Math.log(next.deviationY ** 2 - lowestVariance)),
      correlation: () => parameters.with(4, Math.atanh(next.correlation / highestCorrelation)),
      opacity: () => parameters.with(8, Math.log(next.opacity / (1 - next.opacity))),
      color: () => [...parameters.slice(0, 5), ...channelsOf(next.color), parameters[8]],
    };
    const changed = (Object.keys(raw) as (keyof Shown)[]).find((name) => next[name] !== shown[name]);
    if (!changed) return;
    shown = next;
    showBlob(raw[changed]());
    dispatch();
  };
  Object.defineProperty(node, "value", { get: () => parameters, set: (next: number[]) => show(next) });
  show(start);
  return Object.assign(node, { grips });
}
