import { clamp } from "../clamp.js";
import type { FloatImage, Image, Size } from "../image/image.js";
import type { Rect } from "./plan.js";

/** Pixels to each side of a seam that count as near it. */
const seamDistance = 8;

/** Longest side of the reduced images, in pixels. */
const maxSide = 2048;

/** Factors from the values of a render, and of its target, to 0..255. */
export const [renderScale, targetScale] = [255, 1];

/** Accumulates, region by region, the loss of a large render, and reduced images of the render and its target. */
export class Survey {
  readonly render: Miniature;
  readonly target: Miniature;
  #near = { error: 0, pixels: 0 };
  #elsewhere = { error: 0, pixels: 0 };

  constructor(readonly size: Size) {
    this.render = new Miniature(size);
    this.target = new Miniature(size);
  }

  /** Adds a region's own pixels. */
  add(own: Rect, drawn: FloatImage, image: Image): void {
    const { size } = this;
    const columns = nearEnds(own.x, own.width, size.width);
    const rows = nearEnds(own.y, own.height, size.height);
    for (let y = 0, at = 0; y < own.height; y++) {
      for (let x = 0; x < own.width; x++, at += 4) {
        const error =
          squaredError(drawn.data[at], image.data[at]) +
          squaredError(drawn.data[at + 1], image.data[at + 1]) +
          squaredError(drawn.data[at + 2], image.data[at + 2]);
        const sum = columns[x] || rows[y] ? this.#near : this.#elsewhere;
        sum.error += error;
        sum.pixels++;
      }
    }
    this.render.add(own, drawn.data, renderScale);
    this.target.add(own, image.data, targetScale);
  }

  /** The loss of the whole image, as by `lossOf`. */
  get loss(): number {
    return (this.#near.error + this.#elsewhere.error) / (this.size.width * this.size.height);
  }

  /** The loss of the pixels within 8 pixels of a seam, and of the others; undefined without seams. */
  get seams(): { near: number; elsewhere: number } | undefined {
    const [near, elsewhere] = [this.#near, this.#elsewhere].map(({ error, pixels }) => error / pixels);
    return this.#near.pixels > 0 && this.#elsewhere.pixels > 0 ? { near, elsewhere } : undefined;
  }
}

function squaredError(value: number, byte: number): number {
  const error = clamp(value, 0, 1) - byte / 255;
  return error * error;
}

/** Returns for each pixel along a side whether it is near an end that is not an edge of the image. */
function nearEnds(start: number, length: number, whole: number): boolean[] {
  return Array.from(
    { length },
    (_, i) => (start > 0 && i < seamDistance) || (start + length < whole && i >= length - seamDistance),
  );
}

/** A reduced image: each pixel is the mean of a square of pixels. Those without pixels are black. */
export class Miniature {
  readonly #size: Size;
  readonly #factor: number;
  readonly #sums: Float64Array;

  constructor(readonly whole: Size) {
    this.#factor = Math.ceil(Math.max(whole.width, whole.height) / maxSide);
    this.#size = { width: Math.ceil(whole.width / this.#factor), height: Math.ceil(whole.height / this.#factor) };
    this.#sums = new Float64Array(4 * this.#size.width * this.#size.height);
  }

  /** @param scale factor from the values to 0..255 */
  add({ x: left, y: top, width, height }: Rect, values: ArrayLike<number>, scale: number): void {
    for (let y = 0, at = 0; y < height; y++) {
      const row = Math.floor((top + y) / this.#factor) * this.#size.width;
      for (let x = 0; x < width; x++, at += 4) {
        const to = 4 * (row + Math.floor((left + x) / this.#factor));
        for (let channel = 0; channel < 3; channel++) {
          this.#sums[to + channel] += clamp(scale * values[at + channel], 0, 255);
        }
        this.#sums[to + 3]++;
      }
    }
  }

  /** Returns the smallest box of whole pixels of the reduced image that contains another box. */
  around({ x, y, width, height }: Rect): Rect {
    const factor = this.#factor;
    const [left, top] = [x - (x % factor), y - (y % factor)];
    const end = (at: number, whole: number) => Math.min(whole, Math.ceil(at / factor) * factor);
    const [right, bottom] = [end(x + width, this.whole.width), end(y + height, this.whole.height)];
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  /** Replaces the pixels of a box that `around` has returned. */
  replace(box: Rect, values: ArrayLike<number>, scale: number): void {
    const [left, right] = [box.x, box.x + box.width].map((x) => 4 * Math.ceil(x / this.#factor));
    const [top, bottom] = [box.y, box.y + box.height].map((y) => Math.ceil(y / this.#factor));
    for (let row = top; row < bottom; row++) {
      const start = 4 * row * this.#size.width;
      this.#sums.fill(0, start + left, start + right);
    }
    this.add(box, values, scale);
  }

  get image(): Image {
    const data = new Uint8ClampedArray(this.#sums.length);
    for (let at = 0; at < data.length; at += 4) {
      for (let channel = 0; channel < 3; channel++) data[at + channel] = this.#sums[at + channel] / this.#sums[at + 3];
      data[at + 3] = 255;
    }
    return { ...this.#size, data };
  }
}
