import { html } from "htl";
import type { Image } from "../../engine/image/image.js";
import { linkThings } from "../figures/pointing.js";
import { colorRamp, rampLegend } from "../images/colorRamp.js";
import { errorAt, errorMap, pixelErrors } from "../images/errorMap.js";
import { imageFigure } from "../images/imageFigure.js";

/** A render and its target, of the same size. */
export interface ImagePair {
  name: string;
  render: Image;
  target: Image;
  /** The thing that the map is linked to. */
  thing?: string;
  note?: string;
}

/** Possible ends of the colour scale. */
const scaleEnds = [0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Fraction of the pixels within the scale; the others have its last colour. */
const coveredFraction = 0.99;

/** Returns the error maps of several images, with a common scale that fits the errors, and its legend. */
export function errorMaps(pairs: readonly ImagePair[]): HTMLElement {
  const ramp = colorRamp("inferno");
  const largest = scaleEnd(pairs);
  const legend = rampLegend(ramp, "mean of |render − target| over red, green and blue, each from 0 to 1");
  legend.setTicks(["0", `${largest / 2}`, `${largest}${largest < 1 ? " and more" : ""}`]);
  const figures = pairs.map(({ name, render, target, thing, note = "" }) => {
    const figure = imageFigure(name, "");
    const readError = (x: number, y: number) => errorAt(render, target, y * render.width + x).toFixed(3);
    figure.show(errorMap(render, target, ramp.bytes, largest), readError);
    figure.describe(note, `${name}: error by pixel, scale from 0 to ${largest}`);
    return thing ? linkThings(figure, thing) : figure;
  });
  return html`<div class="error-maps" role="group" aria-label="Error maps">
    <div class="image-grid">${figures}</div>
    <div class="ramp-room">${legend.node}</div>
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
