import { html, svg } from "htl";
import type { Image } from "../../../engine/image/image.js";
import { blobBounds, deviations } from "../../../engine/model/bounds.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { linkThings } from "../../figures/pointing.js";
import { ellipsePath, uvGroup } from "../../figures/shapes.js";
import { colorOf, type PixelStack, type StackBlob } from "./pixelStack.js";
import { cssColor } from "./swatch.js";

const radius = 14;
const side = 2 * radius + 1;

/**
 * Returns the image around a pixel with the ellipses of its blobs.
 * @param current the blob of the current iteration
 */
export function pixelZoom(
  image: Image,
  { x, y }: PixelStack,
  blobs: readonly StackBlob[],
  current: StackBlob | undefined,
): HTMLElement {
  const { width, height } = image;
  const startOf = (position: number, length: number) => Math.max(Math.min(position - radius, length - side), 0);
  const crop = { x: startOf(x, width), y: startOf(y, height), width: side, height: side };
  const ellipse = ({ blob, index }: StackBlob, name: string, sigmas: number) => {
    const fill = name === "zoom-current" ? cssColor(colorOf(blob)) : "none";
    const path = svg`<path class=${name} fill=${fill} d=${ellipsePath(blobBounds(blob), sigmas)} />`;
    return linkThings(path, `blob:${index}`);
  };
  const others = blobs.filter(({ alpha, index }) => alpha > 0 && index !== current?.index);
  const ellipses = uvGroup(
    image,
    ...others.map((entry) => ellipse(entry, "zoom-other", 1)),
    ...(current ? [ellipse(current, "zoom-support", deviations), ellipse(current, "zoom-current", 1)] : []),
  );
  const pixel = svg`<rect class="picked-pixel" x=${x} y=${y} width="1" height="1"/>`;
  return html`<div class="pixel-zoom">
    <div>
      ${imageCanvas(image, "The image around the pixel", crop)}
      ${svg`<svg viewBox="${crop.x} ${crop.y} ${side} ${side}" aria-hidden="true">
        ${ellipses}${linkThings(pixel, `pixel:${x},${y}`)}
      </svg>`}
    </div>
    <p class="small-note">Inner ellipse: 1σ. Dashed: 4σ, the edge of the support.</p>
  </div>`;
}
