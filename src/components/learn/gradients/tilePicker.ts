import { decode, modelOf } from "../../../engine/cpu/blob.js";
import { blobBounds } from "../../../engine/cpu/bounds.js";
import { tileOrigin } from "../../../engine/cpu/uv.js";
import { toImage } from "../../../engine/image.js";
import { element, svg } from "../../element.js";
import type { TiledStep } from "./pixelGradients.js";
import type { TakenStep } from "./stepTaker.js";

/** The blobs' picture, in which the reader picks a tile, and sees a blob. */
export interface TilePicker {
  readonly node: HTMLElement;
  show(step: TakenStep & TiledStep, tile: number, blob: number): void;
}

/** @param picked hears which tile */
export function tilePicker(picked: (tile: number) => void): TilePicker {
  const canvas = element("canvas");
  const marks = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
  const node = element("div", { class: "tile-picker", tabindex: 0, role: "group" }, canvas, marks);
  let shown: { step: TakenStep & TiledStep; tile: number } | undefined;
  const pickAt = (column: number, row: number) => {
    const { across, down } = shown!.step.lists;
    const clamp = (value: number, end: number) => Math.min(Math.max(value, 0), end - 1);
    picked(clamp(row, down) * across + clamp(column, across));
  };
  node.addEventListener("click", ({ clientX, clientY }) => {
    if (!shown) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const { image, tile } = shown.step;
    const column = Math.floor((((clientX - left) / width) * image.width) / tile[0]);
    pickAt(column, Math.floor((((clientY - top) / height) * image.height) / tile[1]));
  });
  const moves: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  node.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    if (!move || !shown) return;
    event.preventDefault();
    const { across } = shown.step.lists;
    pickAt((shown.tile % across) + move[0], Math.floor(shown.tile / across) + move[1]);
  });
  return {
    node,
    show(step, tile, blob) {
      if (shown?.step.picture !== step.picture) paint(canvas, step);
      shown = { step, tile };
      const { width, height } = step.image;
      const { x, y } = tileOrigin(tile, step.lists.across, step.tile);
      const { centerX, centerY, axisX, axisY, halfLength, halfWidth } = blobBounds(
        decode(step.parameters, blob, modelOf(step.config, step.image)),
      );
      const turn = (180 * Math.atan2(axisY, axisX)) / Math.PI;
      marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
      marks.replaceChildren(
        svg(
          "g",
          { transform: `scale(${width} ${height}) translate(${centerX} ${centerY}) rotate(${turn})` },
          svg("ellipse", { rx: halfLength, ry: halfWidth, class: "blob-halo" }),
          svg("ellipse", { rx: halfLength, ry: halfWidth, class: "blob-edge" }),
        ),
        svg("rect", { x, y, width: step.tile[0], height: step.tile[1], class: "tile-halo" }),
        svg("rect", { x, y, width: step.tile[0], height: step.tile[1], class: "tile-edge" }),
      );
      const { across } = step.lists;
      node.ariaLabel = `The blobs' picture; tile in column ${tile % across}, row ${Math.floor(tile / across)} is chosen. Arrow keys choose another one.`;
    },
  };
}

function paint(canvas: HTMLCanvasElement, { picture }: TakenStep): void {
  const { width, height, data } = toImage(picture);
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
}
