import { html } from "htl";
import type { ChosenImage } from "../../host/browser/images.js";
import { colorRamp } from "../images/colorRamp.js";
import { errorAt, errorMap, largestError } from "../images/errorMap.js";
import { imageFigure } from "../images/imageFigure.js";
import { type ImageViewport, imageViewport } from "../images/imageViewport.js";
import { count, psnrText } from "../page/format.js";
import type { Render } from "../training/run.js";

/** Target, render and error side by side. */
export type Triptych = HTMLElement & {
  /** Zooms and pans all three images together. */
  viewport: ImageViewport;
  /** Shows a render and its error map. */
  show(render: Render): void;
};

/**
 * Returns an element that shows the target, the render and the error map of a run.
 * @param actions of the target's caption, such as a link to the image picker
 */
export function triptych({ image, name }: Pick<ChosenImage, "image" | "name">, ...actions: Node[]): Triptych {
  const ramp = colorRamp("inferno");
  const node = html<Triptych>`<div class="triptych" role="group" aria-label="Images of the run"></div>`;
  const viewport = imageViewport(node, "Target, render and error");
  const end = html<HTMLSelectElement>`<select class="quiet" aria-label="Error at the end of the colour ramp" onchange=${() => showError()}>
    ${[largestError, 0.25, 0.5].map((value) => html`<option>${value}</option>`)}
  </select>`;
  const legend = html`<span class="ramp error-ramp" title="mean of red, green and blue">
    0 <i style=${{ background: ramp.gradient }}></i>${end}
  </span>`;
  const target = imageFigure("Target", `Target: ${name}`, ...actions);
  const render = imageFigure("Render", "Render", viewport);
  const error = imageFigure("Error", "Error map", legend);
  let shown: Render | undefined;
  const showError = () => {
    if (!shown) return;
    const { image: rendered, step, psnr } = shown;
    const largest = Number(end.value);
    const map = largest === largestError ? shown.error : errorMap(rendered, image, ramp.bytes, largest);
    error.show(map, (x, y) => errorAt(rendered, image, y * image.width + x).toFixed(3));
    error.describe("|render − target|", `Error map at step ${step}, ${psnrText(psnr)}`);
  };
  node.append(target, render, error);
  target.show(image);
  target.describe(`${image.width} × ${image.height}`, `Target: ${name}`);
  return Object.assign(node, {
    viewport,
    show(next: Render) {
      shown = next;
      render.show(next.image);
      render.describe(`step ${count(next.step)}`, `Render at step ${next.step}, ${psnrText(next.psnr)}`);
      showError();
    },
  });
}
