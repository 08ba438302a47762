import type { ChosenPicture } from "../../host/browser/pictures.js";
import { element } from "../page/element.js";
import { count, psnrText } from "../page/format.js";
import { colorRamp, rampLegend } from "../pictures/colorRamp.js";
import { errorAt, largestError } from "../pictures/errorMap.js";
import { pictureFigure } from "../pictures/pictureFigure.js";
import { type PictureWindow, pictureWindow } from "../pictures/pictureWindow.js";
import type { Render } from "../training/run.js";

/** Target, render and error side by side. */
export type Triptych = HTMLElement & {
  /** Zooms and pans all three at once. */
  window: PictureWindow;
  /** What the blobs draw now, and how far it is from the target. */
  show(render: Render): void;
};

/** Returns an element that shows the target, the render and the error map of a run. */
export function triptych({ image, name }: ChosenPicture): Triptych {
  const legend = rampLegend(colorRamp("inferno"), "|render − target|, mean of red, green, blue");
  legend.setTicks(["0", `${largestError / 2}`, `${largestError} and more`]);
  const target = pictureFigure("Target", `Target: ${name}`);
  const render = pictureFigure("Render", "Render");
  const error = pictureFigure("Error", "Error map", legend.node);
  const node = element("div", { class: "triptych" }, target, render, error);
  const window = pictureWindow(node, "Target, render and error");
  node.append(window);
  target.show(image);
  target.describe(`${image.width} × ${image.height}`, `Target: ${name}`);
  return Object.assign(node, {
    window,
    show(now: Render) {
      const quality = psnrText(now.psnr);
      render.show(now.image);
      error.show(now.error, (x, y) => errorAt(now.image, image, y * image.width + x).toFixed(3));
      render.describe(`step ${count(now.step)}`, `Render at step ${now.step}, ${quality}`);
      error.describe(quality, `Error map at step ${now.step}, ${quality}`);
    },
  });
}
