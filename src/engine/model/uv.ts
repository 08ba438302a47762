import type { Size } from "../image/image.js";
import type { OrientedBox } from "./bounds.js";

/**
 * Maps pixels to UV: uv = pixel · scale + offset. The image covers the render, and is centred on the axis along which it
 * is cropped. CPU reference of shaders/shared/uv.wgsl.
 */
export interface UvMapping {
  scaleX: number;
  scaleY: number;
  offsetX: number;
  offsetY: number;
}

/** Returns the mapping of a render of one size that shows a texture of another. */
export function calcUV(render: Size, texture: Size): UvMapping {
  const renderAspect = render.width / render.height;
  const textureAspect = texture.width / texture.height;
  if (renderAspect > textureAspect) {
    const covered = textureAspect / renderAspect;
    return { scaleX: 1 / render.width, scaleY: covered / render.height, offsetX: 0, offsetY: (1 - covered) / 2 }; //@ uv.wide
  }
  const covered = renderAspect / textureAspect;
  return { scaleX: covered / render.width, scaleY: 1 / render.height, offsetX: (1 - covered) / 2, offsetY: 0 }; //@ uv.tall
}

/** Returns the number of tiles of a render across, down and in all. The last ones may extend over the edge. */
export function tileGrid(render: Size, [width, height]: [number, number]) {
  const across = Math.ceil(render.width / width);
  const down = Math.ceil(render.height / height);
  return { across, down, count: across * down };
}

/** Returns the first pixel of a tile; tiles are numbered row by row, as a one-dimensional dispatch visits them. */
export function tileOrigin(tile: number, across: number, [width, height]: [number, number]) {
  return { x: (tile % across) * width, y: Math.floor(tile / across) * height }; //@ place.origin
}

/** Returns the tile in a column and a row. */
export function tileAtCell({ across }: { across: number }, { column, row }: { column: number; row: number }): number {
  return row * across + column;
}

/** Returns the column and the row of a tile. */
export function cellOfTile({ across }: { across: number }, tile: number) {
  return { column: tile % across, row: Math.floor(tile / across) };
}

/** Returns the pixels of a tile on the render: left ≤ x < right and top ≤ y < bottom. */
export function tileArea(tile: number, across: number, size: [number, number], render: Size) {
  const { x: left, y: top } = tileOrigin(tile, across, size);
  const right = Math.min(left + size[0], render.width);
  const bottom = Math.min(top + size[1], render.height);
  return { left, top, right, bottom };
}

/** Returns the UV box of a tile. */
export function tileBounds(
  origin: { x: number; y: number },
  [width, height]: [number, number],
  uv: UvMapping,
): OrientedBox {
  const halfLength = 0.5 * width * uv.scaleX;
  const halfWidth = 0.5 * height * uv.scaleY;
  return {
    centerX: origin.x * uv.scaleX + uv.offsetX + halfLength, //@ uv.tile
    centerY: origin.y * uv.scaleY + uv.offsetY + halfWidth,
    axisX: 1,
    axisY: 0,
    halfLength,
    halfWidth,
  };
}
