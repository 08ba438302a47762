import type { OrientedBox } from "../../../engine/cpu/bounds.js";
import { calcUV, tileBounds, tileGrid, tileOrigin, type UvMapping } from "../../../engine/cpu/uv.js";
import type { Size } from "../../../engine/image.js";

/** A rectangle of UV space. */
export interface UvBox {
  low: [u: number, v: number];
  high: [u: number, v: number];
}

/** What a render of one shape shows of a texture of another. */
export interface UvView {
  mapping: UvMapping;
  /** What the render covers of UV space. */
  covered: UvBox;
  /** What it cuts off: nothing, strips above and below, or strips at both sides. */
  cut: "nothing" | "above and below" | "at both sides";
  across: number;
  down: number;
}

export function uvView(render: Size, texture: Size, tile: [number, number]): UvView {
  const mapping = calcUV(render, texture);
  const { scaleX, scaleY, offsetX, offsetY } = mapping;
  const covered: UvBox = {
    low: [offsetX, offsetY],
    high: [offsetX + render.width * scaleX, offsetY + render.height * scaleY],
  };
  const cut = offsetY > 0 ? "above and below" : offsetX > 0 ? "at both sides" : "nothing";
  const { across, down } = tileGrid(render, tile);
  return { mapping, covered, cut, across, down };
}

/** tileLow and tileHigh of a tile. */
export function tileUv({ mapping, across }: UvView, size: [number, number], tile: number): UvBox {
  return uvBox(tileBounds(tileOrigin(tile, across, size), size, mapping));
}

function uvBox({ centerX, centerY, halfLength, halfWidth }: OrientedBox): UvBox {
  return { low: [centerX - halfLength, centerY - halfWidth], high: [centerX + halfLength, centerY + halfWidth] };
}
