import type { Image } from "../../engine/image.js";
import { element } from "../page/element.js";

/** A canvas of an image's own pixels under a heading, which keeps its place while it has nothing to show. */
export class PictureFigure {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #note: HTMLElement;

  constructor(title: string, alt: string, ...below: Node[]) {
    this.#canvas = element("canvas", { role: "img", "aria-label": alt, width: 1, height: 1 });
    this.#note = element("span", { class: "figure-note" });
    this.node = element(
      "figure",
      { class: "picture" },
      element("figcaption", {}, element("strong", {}, title), this.#note),
      element("div", { class: "picture-frame" }, this.#canvas),
      ...below,
    );
  }

  /** What stands beside the title, and what is said of the canvas to who cannot see it. */
  describe(note: string, alt: string): void {
    if (this.#note.textContent !== note) this.#note.textContent = note;
    if (this.#canvas.ariaLabel !== alt) this.#canvas.ariaLabel = alt;
  }

  show({ width, height, data }: Image): void {
    const canvas = this.#canvas;
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      canvas.style.aspectRatio = `${width} / ${height}`;
      // Few pixels are shown as the squares that they are.
      canvas.classList.toggle("few-pixels", Math.max(width, height) <= 256);
    }
    canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
  }
}
