import { html, svg } from "htl";
import type { Image } from "../../engine/image/image.js";
import { setText } from "../page/element.js";

/** A figure with an image on a canvas, pixel for pixel. */
export type ImageFigure = HTMLElement & {
  /** Sets the note next to the title, and the alternative text of the canvas. */
  describe(note: string, alt: string): void;
  /** @param read returns the text of a pixel, by default its colour */
  show(image: Image, read?: (x: number, y: number) => string): void;
  /**
   * Marks a pixel and returns its text, or removes the mark.
   * @param position in fractions of the image's sides
   * @param extra text to add to the pixel's
   */
  point(position?: { x: number; y: number }, extra?: string): string;
};

/** Returns a figure for an image. Its caption ends with the actions. */
export function imageFigure(title: string, alt: string, ...actions: Node[]): ImageFigure {
  const canvas = html<HTMLCanvasElement>`<canvas role="img" aria-label=${alt} width="1" height="1"></canvas>`;
  const note = html`<span class="quiet"></span>`;
  const shapes = svg`<svg class="image-shapes" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"></svg>`;
  const value = html`<span class="image-value" aria-hidden="true"></span>`;
  const [dark, light] = [svg`<rect class="outline dark"></rect>`, svg`<rect class="outline"></rect>`];
  let shownImage: Image | undefined;
  let readPixel = (_x: number, _y: number) => "";
  let pointedPixel: { position: { x: number; y: number }; extra?: string } | undefined;
  const describePoint = () => {
    if (!shownImage || !pointedPixel) return "";
    const { width, height } = shownImage;
    const x = Math.min(Math.floor(pointedPixel.position.x * width), width - 1);
    const y = Math.min(Math.floor(pointedPixel.position.y * height), height - 1);
    const box = { x: x / width, y: y / height, width: 1 / width, height: 1 / height };
    for (const [name, number] of Object.entries(box))
      for (const mark of [dark, light]) mark.setAttribute(name, String(number));
    return [readPixel(x, y), pointedPixel.extra].filter(Boolean).join(", ");
  };
  const figure = html`<figure class="image-figure">
    <div class="image-frame">${canvas}${shapes}${value}</div>
    <figcaption><strong>${title}</strong>${note}${actions}</figcaption>
  </figure>`;
  return Object.assign(figure, {
    describe(text: string, alt: string) {
      setText(note, text);
      if (canvas.ariaLabel !== alt) canvas.ariaLabel = alt;
    },
    show(image: Image, read = (x: number, y: number) => colorAt(image, x, y)) {
      const { width, height } = image;
      if (canvas.width !== width || canvas.height !== height) {
        canvas.style.aspectRatio = `${width} / ${height}`;
        figure.style.setProperty("--shape", String(width / height));
        // Small images show their pixels as squares.
        canvas.classList.toggle("few-pixels", Math.max(width, height) <= 256);
      }
      paint(canvas, image);
      shownImage = image;
      readPixel = read;
      if (pointedPixel) setText(value, describePoint());
    },
    point(position?: { x: number; y: number }, extra?: string) {
      pointedPixel = position && { position, extra };
      const text = describePoint();
      setText(value, text);
      if (pointedPixel) shapes.append(dark, light);
      else for (const mark of [dark, light]) mark.remove();
      return text && `${title} ${text}`;
    },
  });
}

function colorAt({ width, data }: Image, x: number, y: number): string {
  return data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3).join(" ");
}

/** Shows an image on a canvas, pixel for pixel. */
export function paint(canvas: HTMLCanvasElement, { width, height, data }: Image): void {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
}
