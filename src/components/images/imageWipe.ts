import { html } from "htl";
import type { Image } from "../../engine/image/image.js";
import { paint } from "./imageFigure.js";

/** One side of a wipe, with the label in its corner and its alternative text. */
export interface WipeSide {
  image: Image;
  label: string;
  alt: string;
}

/** A comparison of two images. */
export type Wipe = HTMLElement & { show(left: WipeSide, right: WipeSide): void };

/**
 * Returns a comparison of two images of the same aspect ratio, one over the other, with a divider that is dragged or moved
 * by the arrow keys. Its size on the page does not depend on the images.
 */
export function imageWipe(): Wipe {
  const range = html<HTMLInputElement>`<input
    type="range" class="wipe-range" min="0" max="100" step="0.5" value="50" disabled
    aria-label="Divider between the two images" oninput=${() => moveDivider()}
  >`;
  const sideOf = (name: string) => ({
    canvas: html<HTMLCanvasElement>`<canvas
      class=${`wipe-${name}`} role="img" aria-label="Image, loading" width="1" height="1"
    ></canvas>`,
    label: html`<span class="image-value" aria-hidden="true"></span>`,
  });
  const [left, right] = [sideOf("left"), sideOf("right")];
  const parts = [right.canvas, left.canvas, left.label, right.label, range];
  const frame = html`<div class="wipe-image">${parts}<div class="wipe-divider" aria-hidden="true"></div></div>`;
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
  return Object.assign(html`<div class="wipe-stage" role="group" aria-label="Image comparison">${frame}</div>`, {
    show(leftSide: WipeSide, rightSide: WipeSide) {
      const aspectRatio = leftSide.image.width / leftSide.image.height;
      frame.style.setProperty("--shape", String(aspectRatio));
      fill(left, leftSide);
      fill(right, rightSide);
      range.ariaLabel = `Divider: ${leftSide.label} to the left, ${rightSide.label} to the right`;
      range.disabled = false;
      moveDivider();
    },
  });
}
