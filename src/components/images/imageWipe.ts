import type { Image } from "../../engine/image/image.js";
import { element } from "../page/element.js";
import { paint } from "./imageFigure.js";

/** Pictures so much narrower than high have no room for two labels. */
const minLabelAspect = 0.4;

/** One side of a wipe: pixels, what stands in its corner, and what is said of it to who cannot see it. */
export interface WipeSide {
  image: Image;
  label: string;
  alt: string;
}

/** What shows two pictures. */
export type Wipe = HTMLElement & { show(left: WipeSide, right: WipeSide): void };

/**
 * Two pictures of one shape, one over the other, and a divider between them that is dragged, or moved by the arrow keys.
 * It keeps its place on the page whatever it shows.
 */
export function imageWipe(): Wipe {
  const range = element("input", {
    type: "range",
    class: "wipe-range",
    ...{ min: 0, max: 100, step: 0.5, value: 50, disabled: true },
    "aria-label": "Divider between the two images",
    oninput: () => moveDivider(),
  });
  const [left, right] = ["left", "right"].map((name) => ({
    canvas: element("canvas", {
      class: `wipe-${name}`,
      role: "img",
      "aria-label": "Image, loading",
      width: 1,
      height: 1,
    }),
    label: element("span", { class: `wipe-label wipe-label-${name}`, "aria-hidden": "true" }),
  }));
  const divider = element("div", { class: "wipe-divider", "aria-hidden": "true" });
  const parts = [right.canvas, left.canvas, left.label, right.label, range, divider];
  const frame = element("div", { class: "wipe-picture" }, ...parts);
  const moveDivider = () => {
    frame.style.setProperty("--at", `${range.value}%`);
    range.ariaValueText = `${Math.round(Number(range.value))} % ${left.label.textContent}`;
  };
  const fill = ({ canvas, label }: typeof left, side: WipeSide) => {
    paint(canvas, side.image);
    canvas.ariaLabel = side.alt;
    label.textContent = side.label;
  };
  moveDivider();
  return Object.assign(element("div", { class: "wipe-stage" }, frame), {
    show(leftSide: WipeSide, rightSide: WipeSide) {
      const aspectRatio = leftSide.image.width / leftSide.image.height;
      frame.style.setProperty("--shape", String(aspectRatio));
      frame.classList.toggle("is-narrow", aspectRatio < minLabelAspect);
      fill(left, leftSide);
      fill(right, rightSide);
      range.ariaLabel = `Divider: ${leftSide.label} to the left, ${rightSide.label} to the right`;
      range.disabled = false;
      moveDivider();
    },
  });
}
