import { html } from "htl";
import type { Image, Size } from "../../../engine/image/image.js";
import { type Blob, deviationsInPixels } from "../../../engine/model/blob.js";
import { facts } from "../../figures/figure.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { swatch } from "../../figures/swatch.js";
import { colorRamp } from "../../images/colorRamp.js";
import { rampOffset } from "../../images/rampOffset.js";
import { tableOf } from "../../page/element.js";
import { numberText } from "../../page/numberText.js";
import type { BlobPixel, ParameterAxis } from "./blobModel.js";

/** Returns the image that a blob draws. */
export function renderOfPixels({ width, height }: Size, pixels: readonly BlobPixel[]): Image {
  const data = new Uint8ClampedArray(4 * pixels.length).fill(255);
  for (const [i, { color }] of pixels.entries())
    data.set(
      color.map((c) => Math.round(255 * c)),
      4 * i,
    );
  return { width, height, data };
}

/** The squared error at the end of the colour ramp; the largest possible one is 3. */
const largestError = 1;

/** Returns the squared error of each pixel, in the colours of a ramp. */
export function errorsOfPixels({ width, height }: Size, pixels: readonly BlobPixel[]): Image {
  const ramp = colorRamp("inferno").bytes;
  const data = new Uint8ClampedArray(4 * pixels.length);
  for (const [i, { error }] of pixels.entries()) {
    const color = rampOffset(error / largestError);
    data.set(ramp.subarray(color, color + 4), 4 * i);
  }
  return { width, height, data };
}

/** Returns small copies of a blob's image, its target and their squared error. */
export function blobStrip(target: Image, pixels: readonly BlobPixel[]): HTMLElement {
  const images = { image: renderOfPixels(target, pixels), target, "squared error": errorsOfPixels(target, pixels) };
  const parts = Object.entries(images).map(([name, image]) => html`<div>${name}${imageCanvas(image)}</div>`);
  return html`<div class="blob-strip" aria-hidden="true">${parts}</div>`;
}

/** Returns the loss, and the centre and the covariance of a blob in pixels. */
export function blobFacts(blob: Blob, size: Size, loss: number): HTMLElement {
  const [deviationX, deviationY] = deviationsInPixels(blob, size);
  const covariance = blob.correlation * deviationX * deviationY;
  const row = (...values: number[]) => html`<tr>${values.map((value) => html`<td>${oneDigit(value)}</td>`)}</tr>`;
  return facts({
    "loss L": loss.toFixed(4),
    "centre μ": `${oneDigit(blob.centerX * size.width)}, ${oneDigit(blob.centerY * size.height)}`,
    "covariance Σ": html`<table class="blob-matrix">
      ${row(deviationX ** 2, covariance)}${row(covariance, deviationY ** 2)}
    </table>`,
  });
}

function oneDigit(value: number): string {
  return value.toFixed(1).replace("-", "−");
}

/** Returns the values of a pixel, from the blob to the squared error. */
export function onePixelFacts({ x, y, distance, alpha, color, target, error }: BlobPixel): HTMLElement {
  return facts({
    pixel: `${x}, ${y}`,
    distance: distance === undefined ? "over 4σ" : `${distance.toFixed(2)}σ`,
    α: alpha.toFixed(4),
    "colour drawn": swatch(color),
    "target colour": swatch(target),
    "squared error": error.toFixed(4),
  });
}

/** Returns a table of all parameters of a blob, with the slope of the loss and the change of the next step. */
export function gradientTable(
  axes: readonly ParameterAxis[],
  parameters: readonly number[],
  gradients: ArrayLike<number>,
  rates: ArrayLike<number>,
): HTMLElement {
  const rows = axes.map(({ slot, name }) => {
    const values = [parameters[slot], gradients[slot], -rates[slot] * gradients[slot]];
    return html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${numberText(value, 3)}</td>`)}</tr>`;
  });
  return tableOf(["parameter", "value", "slope", "next change"], rows, { class: "blob-gradients" });
}

/** Describes the slope of the loss along a parameter in a sentence. */
export function slopeSentence({ name }: ParameterAxis, slope: number): string {
  const direction = slope < 0 ? "a larger" : "a smaller";
  return `Slope ∂L/∂(${name}) = ${numberText(slope, 3)}: ${direction} value lowers the loss.`;
}
