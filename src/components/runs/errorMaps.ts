import type { Image } from "../../engine/image/image.js";
import { linkThings } from "../figures/pointing.js";
import { colorRamp, rampLegend } from "../images/colorRamp.js";
import { errorAt, errorMap, pixelErrors } from "../images/errorMap.js";
import { imageFigure } from "../images/imageFigure.js";
import { element } from "../page/element.js";

/** A picture and what it should have been, of one size. */
export interface ImagePair {
  name: string;
  render: Image;
  target: Image;
  /** What its map stands for. */
  thing?: string;
  note?: string;
}

/** Ends of the scale that are told with few digits. */
const scaleEnds = [0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Share of the pixels that the scale holds; the others have its last colour. */
const coveredFraction = 0.99;

/** The errors of several pictures by pixel, as maps with one scale, which follows from the errors, and its legend. */
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
  const grid = element("div", { class: "picture-grid" }, ...figures);
  return element("div", { class: "error-maps" }, grid, element("div", { class: "ramp-room" }, legend.node));
}

function scaleEnd(pairs: readonly ImagePair[]): number {
  const quantiles = pairs.map(({ render, target }) => {
    const errors = pixelErrors(render, target).sort();
    return errors[Math.floor(coveredFraction * (errors.length - 1))];
  });
  const largestQuantile = Math.max(0, ...quantiles);
  return scaleEnds.find((end) => end >= largestQuantile) ?? 1;
}
