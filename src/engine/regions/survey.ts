import type { FloatImage, Image, Size } from "../image/image.js";
import type { Rect } from "./plan.js";

/** Pixels to each side of a seam that count as near it. */
const seamDistance = 8;

/** Of the longer side of a picture that stands for a large one, at most. */
const maxSide = 2048;

/** Sums up, region by region, how near a large picture is to its target, and what both look like in small. */
export class Survey {
  readonly render: Miniature;
  readonly target: Miniature;
  #near = { error: 0, pixels: 0 };
  #elsewhere = { error: 0, pixels: 0 };

  constructor(readonly size: Size) {
    this.render = new Miniature(size);
    this.target = new Miniature(size);
  }

  /** Takes a region's own pixels. */
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
    this.render.add(own, drawn.data, 255);
    this.target.add(own, image.data, 1);
  }

  /** As `lossOf` the whole. */
  get loss(): number {
    return (this.#near.error + this.#elsewhere.error) / (this.size.width * this.size.height);
  }

  /** The same of the pixels within 8 of a seam, and of the others; undefined where there is no seam. */
  get seams(): { near: number; elsewhere: number } | undefined {
    const [near, elsewhere] = [this.#near, this.#elsewhere].map(({ error, pixels }) => error / pixels);
    return this.#near.pixels > 0 && this.#elsewhere.pixels > 0 ? { near, elsewhere } : undefined;
  }
}

function squaredError(value: number, byte: number): number {
  const error = Math.min(Math.max(value, 0), 1) - byte / 255;
  return error * error;
}

/** Which pixels along a side are near one of its ends, where that is not the picture's. */
function nearEnds(start: number, length: number, whole: number): boolean[] {
  return Array.from(
    { length },
    (_, i) => (start > 0 && i < seamDistance) || (start + length < whole && i >= length - seamDistance),
  );
}

/** A large picture in small: each pixel is the mean of a square of its pixels. */
class Miniature {
  readonly #size: Size;
  readonly #factor: number;
  readonly #sums: Float64Array;

  constructor(readonly whole: Size) {
    this.#factor = Math.ceil(Math.max(whole.width, whole.height) / maxSide);
    this.#size = { width: Math.ceil(whole.width / this.#factor), height: Math.ceil(whole.height / this.#factor) };
    this.#sums = new Float64Array(4 * this.#size.width * this.#size.height);
  }

  /** @param scale what the values are multiplied by, so that they are of 0..255 */
  add({ x: left, y: top, width, height }: Rect, values: ArrayLike<number>, scale: number): void {
    for (let y = 0, at = 0; y < height; y++) {
      const row = Math.floor((top + y) / this.#factor) * this.#size.width;
      for (let x = 0; x < width; x++, at += 4) {
        const to = 4 * (row + Math.floor((left + x) / this.#factor));
        for (let channel = 0; channel < 3; channel++) {
          this.#sums[to + channel] += Math.min(Math.max(scale * values[at + channel], 0), 255);
        }
        this.#sums[to + 3]++;
      }
    }
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
