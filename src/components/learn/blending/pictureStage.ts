import type { Image } from "../../../engine/image.js";
import { element, svg } from "../../element.js";

/** A picture of a few pixels, shown as the squares that they are, under a drawing in the picture's own coordinates. */
export interface PictureStage {
  readonly node: HTMLElement;
  /** Covers the picture; a unit is a pixel. */
  readonly drawing: SVGSVGElement;
  /** @param origin the picture's place in the drawing's coordinates */
  show(image: Image, origin?: { x: number; y: number }): void;
}

/** @param alt what the picture is, for who does not see it */
export function pictureStage(alt: string): PictureStage {
  const canvas = element("canvas", { role: "img", "aria-label": alt, width: 1, height: 1 });
  const drawing = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  const node = element("div", { class: "picture-stage" }, canvas, drawing);
  return {
    node,
    drawing,
    show({ width, height, data }, { x, y } = { x: 0, y: 0 }) {
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
      node.style.aspectRatio = `${width} / ${height}`;
      drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    },
  };
}
