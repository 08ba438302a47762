import { backstage } from "../backstage.js";
import { colorRamp, rampLegend } from "../colorRamp.js";
import { element } from "../element.js";
import { largestError } from "../errorMap.js";
import { count, decibels } from "../format.js";
import { paintLive } from "../painter.js";
import { PictureFigure } from "../pictureFigure.js";
import type { Lab } from "./lab.js";

/** Target, render and error side by side, as the run goes on. */
export function triptych(lab: Lab): HTMLElement {
  const ramp = colorRamp("inferno");
  const legend = rampLegend(ramp, "mean of |render − target| over red, green and blue, which run from 0 to 1");
  legend.setTicks(["0", `${largestError / 2}`, `${largestError} and more`]);
  const target = new PictureFigure("Target", "The picture to learn");
  const render = new PictureFigure("Render", "The blobs' picture");
  const error = new PictureFigure("Error", "Where the two differ", legend.node);
  const node = element("div", { class: "triptych" }, target.node, render.node, error.node);
  let shownTarget: unknown;
  let shownPicture: unknown;
  let isComparing = false;
  const repaint = paintLive(node, lab, () => {
    const run = lab.run;
    if (!run) return;
    const { image, name } = run.target;
    if (shownTarget !== run.target) {
      shownTarget = run.target;
      target.show(image);
      target.describe(`${image.width} × ${image.height}`, `The picture to learn: ${name}`);
    }
    const { picture } = run;
    if (!picture || picture === shownPicture || picture.width !== image.width) return;
    // A comparison under way is shown first, or a fast run would never show one.
    if (isComparing) return;
    shownPicture = picture;
    isComparing = true;
    const step = run.pictureStep;
    void backstage("besideTarget", picture, image, ramp.bytes)
      .then((compared) => {
        if (lab.run !== run) return;
        const quality = decibels(compared.psnr);
        render.show(compared.image);
        error.show(compared.error);
        render.describe(`step ${count(step)}`, `The blobs' picture at step ${step}, ${quality} from the target`);
        error.describe(`PSNR ${quality}`, `The error by pixel; the PSNR is ${quality}`);
      })
      .finally(() => {
        isComparing = false;
        if (lab.run?.picture !== shownPicture) repaint();
      });
  });
  return node;
}
