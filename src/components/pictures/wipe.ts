import type { Image } from "../../engine/image.js";
import { element } from "../page/element.js";

/** One side of a wipe: pixels, what stands in its corner, and what is said of it to who cannot see it. */
export interface WipeSide {
  image: Image;
  label: string;
  alt: string;
}

/**
 * Two pictures of one shape, one over the other, and a divider between them that is dragged, or moved by the arrow keys.
 * It keeps its place on the page whatever it shows.
 */
export class Wipe {
  readonly node: HTMLElement;
  readonly #left = side("left");
  readonly #right = side("right");
  readonly #picture: HTMLElement;
  readonly #range: HTMLInputElement;

  constructor() {
    this.#range = element("input", {
      type: "range",
      class: "wipe-range",
      min: 0,
      max: 100,
      step: 0.5,
      value: 50,
      disabled: true,
      "aria-label": "Divider between the two pictures",
      oninput: () => this.#place(),
    });
    const divider = element("div", { class: "wipe-divider", "aria-hidden": "true" });
    this.#picture = element(
      "div",
      { class: "wipe-picture" },
      this.#right.canvas,
      this.#left.canvas,
      this.#left.label,
      this.#right.label,
      this.#range,
      divider,
    );
    this.node = element("div", { class: "wipe-stage" }, this.#picture);
    this.#place();
  }

  show(left: WipeSide, right: WipeSide): void {
    const { width, height } = left.image;
    this.#picture.style.setProperty("--shape", String(width / height));
    fill(this.#left, left);
    fill(this.#right, right);
    this.#range.ariaLabel = `Divider: ${left.label} to the left, ${right.label} to the right`;
    this.#range.disabled = false;
    this.#place();
  }

  #place(): void {
    const at = Number(this.#range.value);
    this.#picture.style.setProperty("--at", `${at}%`);
    this.#range.ariaValueText = `${Math.round(at)} % ${this.#left.label.textContent}`;
  }
}

interface Side {
  canvas: HTMLCanvasElement;
  label: HTMLElement;
}

function side(name: "left" | "right"): Side {
  return {
    canvas: element("canvas", {
      class: `wipe-${name}`,
      role: "img",
      "aria-label": "A picture that is on its way",
      width: 1,
      height: 1,
    }),
    label: element("span", { class: `wipe-label wipe-label-${name}`, "aria-hidden": "true" }),
  };
}

function fill({ canvas, label }: Side, { image, label: text, alt }: WipeSide): void {
  const { width, height, data } = image;
  Object.assign(canvas, { width, height, ariaLabel: alt });
  canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
  label.textContent = text;
}
