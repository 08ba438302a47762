import { element } from "../element.js";
import { counted, decibels } from "../format.js";
import { PictureFigure } from "../pictureFigure.js";
import { Wipe } from "../wipe.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

/** The final picture against the target: with a divider on a screen, side by side on paper. */
export function comparison({ target, render, description }: Report): HTMLElement {
  const { image, config, result } = description;
  const told = decibels(psnrOf(result));
  const label = counted(config.blobs, "blob");
  const alts = [`The picture to learn: ${image.name}`, `The picture of ${label}: ${told} from the target`] as const;
  const wipe = new Wipe();
  wipe.show({ image: target, label: "target", alt: alts[0] }, { image: render, label, alt: alts[1] });
  const pair = [target, render].map((picture, i) => {
    const figure = new PictureFigure(i === 0 ? "Target" : "Render", alts[i]);
    figure.show(picture);
    figure.describe(i === 0 ? image.name : told, alts[i]);
    return figure.node;
  });
  return element(
    "div",
    {},
    element(
      "div",
      { class: "on-screen" },
      element("p", {}, "To the left of the divider the target, to its right the blobs."),
      element("div", { class: "wipe" }, wipe.node),
    ),
    element("div", { class: "picture-grid on-paper" }, ...pair),
  );
}
