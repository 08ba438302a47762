import { html } from "htl";
import type { ChosenImage } from "../../host/browser/images.js";
import { colorRamp, rampLegend } from "../images/colorRamp.js";
import { errorAt, largestError } from "../images/errorMap.js";
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

/** Returns an element that shows the target, the render and the error map of a run. */
export function triptych({ image, name }: ChosenImage): Triptych {
  const legend = rampLegend(colorRamp("inferno"), "|render − target|, mean of red, green, blue");
  legend.setTicks(["0", `${largestError / 2}`, `${largestError} and more`]);
  const target = imageFigure("Target", `Target: ${name}`);
  const render = imageFigure("Render", "Render");
  const error = imageFigure("Error", "Error map", legend.node);
  const node = html`<div class="triptych" role="group" aria-label="Images of the run">${[target, render, error]}</div>`;
  const viewport = imageViewport(node, "Target, render and error");
  node.append(viewport);
  target.show(image);
  target.describe(`${image.width} × ${image.height}`, `Target: ${name}`);
  return Object.assign(node, {
    viewport,
    show(current: Render) {
      const quality = psnrText(current.psnr);
      render.show(current.image);
      error.show(current.error, (x, y) => errorAt(current.image, image, y * image.width + x).toFixed(3));
      render.describe(`step ${count(current.step)}`, `Render at step ${current.step}, ${quality}`);
      error.describe(quality, `Error map at step ${current.step}, ${quality}`);
    },
  });
}
