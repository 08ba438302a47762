import { html } from "htl";
import type { Image } from "../../engine/image/image.js";
import { colorRamp } from "../images/colorRamp.js";
import { errorAt, errorMap, pixelErrors } from "../images/errorMap.js";
import { imageFigure } from "../images/imageFigure.js";

/** A render and its target, of the same size. */
export interface ImagePair {
  name: string;
  render: Image;
  target: Image;
  note: string;
}

/** Possible ends of the colour scale. */
const scaleEnds = [0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Fraction of the pixels within the scale; the others have its last colour. */
const coveredFraction = 0.99;

/** Returns the error maps of several images, with a common scale that fits the errors, and its legend. */
export function errorMaps(pairs: readonly ImagePair[]): HTMLElement {
  const ramp = colorRamp("inferno");
  const largest = scaleEnd(pairs);
  const figures = pairs.map(({ name, render, target, note }) => {
    const figure = imageFigure(name, "");
    const readError = (x: number, y: number) => errorAt(render, target, y * render.width + x).toFixed(3);
    figure.show(errorMap(render, target, ramp.bytes, largest), readError);
    figure.describe(note, `${name}: error by pixel, scale from 0 to ${largest}`);
    return figure;
  });
  return html`<div class="error-maps" role="group" aria-label="Error maps">
    <p class="quiet">|render − target|, one scale for all: <span class="ramp error-ramp">0 <i style=${{ background: ramp.gradient }}></i> ${largest}</span></p>
    <div class="grid grid-cols-2">${figures}</div>
  </div>`;
}

function scaleEnd(pairs: readonly ImagePair[]): number {
  const quantiles = pairs.map(({ render, target }) => {
    const errors = pixelErrors(render, target).sort();
    return errors[Math.floor(coveredFraction * (errors.length - 1))];
  });
  const largestQuantile = Math.max(0, ...quantiles);
  return scaleEnds.find((end) => end >= largestQuantile) ?? 1;
}
