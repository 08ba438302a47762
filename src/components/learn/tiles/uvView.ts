import { type FloatImage, type Size, toImage } from "../../../engine/image/image.js";
import { calcUV, tileGrid } from "../../../engine/model/uv.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import * as Plot from "../../figures/plot.js";
import { boundsOf } from "./tileScene.js";

/** A rectangle of UV space. */
export interface UvBox {
  low: [u: number, v: number];
  high: [u: number, v: number];
}

/**
 * Returns the tiles of a render, the area of UV space that it covers of a texture of another aspect ratio, and what is
 * cropped.
 */
export function uvView(size: Size, texture: Size, tile: [number, number]) {
  const uv = calcUV(size, texture);
  const { scaleX, scaleY, offsetX, offsetY } = uv;
  const covered: UvBox = {
    low: [offsetX, offsetY],
    high: [offsetX + size.width * scaleX, offsetY + size.height * scaleY],
  };
  const cut = offsetY > 0 ? "above and below" : offsetX > 0 ? "at both sides" : "nothing";
  return { source: "render" as const, size, texture, tile, uv, covered, cut, ...tileGrid(size, tile) };
}

export type UvView = ReturnType<typeof uvView>;

/** Returns tileLow and tileHigh of a tile. */
export function tileUv(view: UvView, tile: number): UvBox {
  const { centerX: u, centerY: v, halfLength, halfWidth } = boundsOf(view, tile);
  return { low: [u - halfLength, v - halfWidth], high: [u + halfLength, v + halfWidth] };
}

/** Returns a sentence on what is shown and what is cropped. */
export function describeUv({ size, texture, cut, covered: { low, high } }: UvView): string {
  const aspects = `The render’s aspect is ${(size.width / size.height).toFixed(3)}, the texture’s ${(texture.width / texture.height).toFixed(3)}`;
  if (cut === "nothing") return `${aspects}: they are alike, and the render shows all of UV space.`;
  const [comparison, axis, fraction] =
    cut === "above and below" ? ["wider", "v", high[1] - low[1]] : (["narrower", "u", high[0] - low[0]] as const);
  return `${aspects}: the render is ${comparison}, so it shows the middle ${(100 * fraction).toFixed(1)} % of ${axis}, and the rest is cut off ${cut}.`;
}

/** Returns the corners of a tile and the area that the render covers, in numbers. */
export function uvFacts({ uv, covered }: UvView, tile: UvBox): Record<string, string> {
  return {
    tileLow: pointText(tile.low),
    tileHigh: pointText(tile.high),
    "a pixel’s step": pointText([uv.scaleX, uv.scaleY], 5),
    "u covered": rangeText(covered, 0),
    "v covered": rangeText(covered, 1),
  };
}

function pointText([u, v]: [number, number], digits = 4): string {
  return `${u.toFixed(digits)}, ${v.toFixed(digits)}`;
}

function rangeText({ low, high }: UvBox, axis: 0 | 1): string {
  return `${low[axis].toFixed(3)} to ${high[axis].toFixed(3)}`;
}

/** Returns a chart of UV space with the whole image, the area that the render covers, and a tile. */
export function uvChart({ covered }: UvView, tile: UvBox, image: FloatImage, side: number): Element {
  const margin = side < 240 ? 26 : 40;
  const boxMark = (boxes: UvBox[], style: object) =>
    Plot.rect(boxes, {
      x1: ({ low }) => low[0],
      y1: ({ low }) => low[1],
      x2: ({ high }) => high[0],
      y2: ({ high }) => high[1],
      ...style,
    });
  const { low, high } = covered;
  const outside: UvBox[] = [
    { low: [0, 0], high: [low[0], 1] },
    { low: [high[0], 0], high: [1, 1] },
    { low: [0, 0], high: [1, low[1]] },
    { low: [0, high[1]], high: [1, 1] },
  ];
  const imageUrl = imageCanvas(toImage(image)).toDataURL();
  const imageSize = { width: side - 2 * margin, height: side - 2 * margin };
  const [u, v] = [rangeText(covered, 0), rangeText(covered, 1)];
  return Plot.plot({
    width: side,
    height: side,
    margin,
    ariaLabel: `The render covers u from ${u} and v from ${v}; the tile lies from ${pointText(tile.low)} to ${pointText(tile.high)}`,
    x: { domain: [0, 1], ticks: side < 240 ? 2 : 4, label: "u" },
    y: { domain: [1, 0], ticks: side < 240 ? 2 : 4, label: "v" },
    marks: [
      Plot.image([imageUrl], { x: 0.5, y: 0.5, src: String, imageRendering: "pixelated", ...imageSize }),
      boxMark(outside, { fill: "var(--theme-background)", fillOpacity: 0.72 }),
      boxMark([covered], { stroke: "#efb118", strokeWidth: 3 }),
      boxMark([tile], { stroke: "black", strokeWidth: 4 }),
      boxMark([tile], { stroke: "white", strokeWidth: 2 }),
    ],
  });
}
