import { blobBounds, deviations } from "../../../engine/cpu/bounds.js";
import type { Image } from "../../../engine/image.js";
import { svg } from "../../element.js";
import type { Scene } from "../../lab/scene.js";
import { standsFor } from "../marks.js";
import { type PictureStage, pictureStage } from "./pictureStage.js";
import type { PixelStack, StackBlob } from "./pixelStack.js";
import { cssColor } from "./swatch.js";

/** Pixels to each side of the one in the middle. */
const radius = 14;
const side = 2 * radius + 1;

/** The picture around a pixel, with the ellipses of its blobs. */
export class PixelZoom {
  readonly #stage: PictureStage;

  constructor() {
    this.#stage = pictureStage("The picture around the pixel");
    this.node.classList.add("pixel-zoom");
  }

  get node(): HTMLElement {
    return this.#stage.node;
  }

  /** @param current the blob whose turn it is */
  show(scene: Scene, { x, y }: PixelStack, blobs: readonly StackBlob[], current: StackBlob | undefined): void {
    const within = (at: number, length: number) => Math.max(Math.min(at - radius, length - side), 0);
    const origin = { x: within(x, scene.target.width), y: within(y, scene.target.height) };
    this.#stage.show(cut(scene, origin), origin);
    const { width, height } = scene.target;
    const ellipse = ({ blob, index }: StackBlob, name: string, sigmas: number) => {
      const { centerX, centerY, axisX, axisY, halfLength, halfWidth } = blobBounds(blob);
      // The ellipse is drawn in UV, and stretched to the picture.
      const turn = (Math.atan2(axisY, axisX) * 180) / Math.PI;
      const node = svg("ellipse", {
        class: name,
        cx: 0,
        cy: 0,
        rx: (halfLength * sigmas) / deviations,
        ry: (halfWidth * sigmas) / deviations,
        transform: `scale(${width} ${height}) translate(${centerX} ${centerY}) rotate(${turn})`,
      });
      return standsFor(node, `blob:${index}`);
    };
    const others = blobs
      .filter(({ alpha, index }) => alpha > 0 && index !== current?.index)
      .map((entry) => ellipse(entry, "zoom-other", 1));
    const own = current ? [ellipse(current, "zoom-support", deviations), ellipse(current, "zoom-current", 1)] : [];
    own[1]?.setAttribute("fill", cssColor([current!.blob.red, current!.blob.green, current!.blob.blue]));
    this.#stage.drawing.replaceChildren(
      ...others,
      ...own,
      standsFor(svg("rect", { class: "picked-pixel", x, y, width: 1, height: 1 }), `pixel:${x},${y}`),
    );
  }
}

function cut({ look }: Scene, origin: { x: number; y: number }): Image {
  const { width, height, data } = look.picture;
  // A picture may be smaller than this.
  const bytes = new Uint8ClampedArray(4 * side * side);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [x, y] = [origin.x + column, origin.y + row];
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const from = 4 * (y * width + x);
      const to = 4 * (row * side + column);
      for (let channel = 0; channel < 3; channel++) bytes[to + channel] = 255 * data[from + channel];
      bytes[to + 3] = 255;
    }
  }
  return { width: side, height: side, data: bytes };
}
