import type { Image } from "../../engine/image.js";
import { element, setText } from "../page/element.js";

/** A canvas of an image's own pixels under a heading, which keeps its place while it has nothing to show. */
export type PictureFigure = HTMLElement & {
  /** What stands beside the title, and what is said of the canvas to who cannot see it. */
  describe(note: string, alt: string): void;
  show(image: Image): void;
};

/** @param below what stands under the picture */
export function pictureFigure(title: string, alt: string, ...below: Node[]): PictureFigure {
  const canvas = element("canvas", { role: "img", "aria-label": alt, width: 1, height: 1 });
  const note = element("span", { class: "figure-note" });
  const head = element("figcaption", {}, element("strong", {}, title), note);
  const frame = element("div", { class: "picture-frame" }, canvas);
  return Object.assign(element("figure", { class: "picture" }, head, frame, ...below), {
    describe(text: string, alt: string) {
      setText(note, text);
      if (canvas.ariaLabel !== alt) canvas.ariaLabel = alt;
    },
    show(image: Image) {
      const { width, height } = image;
      if (canvas.width !== width || canvas.height !== height) {
        canvas.style.aspectRatio = `${width} / ${height}`;
        // Few pixels are shown as the squares that they are.
        canvas.classList.toggle("few-pixels", Math.max(width, height) <= 256);
      }
      paint(canvas, image);
    },
  });
}

/** Shows an image on a canvas, pixel for pixel. */
export function paint(canvas: HTMLCanvasElement, { width, height, data }: Image): void {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
}
