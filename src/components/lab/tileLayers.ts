import { html } from "htl";
import type { Image } from "../../engine/image/image.js";
import { imageCanvas } from "../figures/imageCanvas.js";
import { gridPath } from "../figures/shapes.js";
import { colorRamp } from "../images/colorRamp.js";
import { rampOffset } from "../images/rampOffset.js";
import { roundedUp } from "../runs/logScale.js";
import { runInWorker } from "../worker/runInWorker.js";
import { runInFrames } from "./runInFrames.js";
import { addEllipse, colorOf, type Scene } from "./scene.js";

/** The layers of the tile image, from the lowest. */
export const layerNames = ["render", "tiles", "1σ ellipses"] as const;

/** Maximum number of drawn ellipses. Of more blobs, every n-th is drawn. */
const maxEllipses = 1500;

/** Returns n, if every n-th blob is drawn. */
export function ellipseStride(scene: Scene): number {
  return Math.ceil(scene.boxes.length / maxEllipses);
}

/** Returns the list length at the end of the colour ramp: one tile in fifty exceeds it. */
export function rampMaximum({ inspection }: Scene): number {
  const lengths = inspection.tiles.lengths.toSorted();
  return roundedUp(lengths[Math.floor(0.98 * (lengths.length - 1))]);
}

/**
 * Returns a canvas with the render, the tiles coloured by the length of their lists, and the 1σ ellipses of the blobs.
 * @param layers some of `layerNames`
 * @param width in pixels
 */
export async function tileLayers(scene: Scene, layers: readonly string[], width: number): Promise<HTMLCanvasElement> {
  const { target, inspection } = scene;
  const height = Math.round((width * target.height) / target.width);
  const canvas = html<HTMLCanvasElement>`<canvas width=${width} height=${height}></canvas>`;
  const image = await runInWorker("toImage", inspection.render);
  await runInFrames(drawLayers(canvas.getContext("2d")!, scene, image, layers));
  return canvas;
}

function* drawLayers(
  context: CanvasRenderingContext2D,
  scene: Scene,
  image: Image,
  layers: readonly string[],
): Generator<void> {
  const { width, height } = context.canvas;
  const { target, inspection } = scene;
  const pixel = width / target.width;
  const [hasRender, hasTiles, hasEllipses] = layerNames.map((name) => layers.includes(name));
  context.imageSmoothingEnabled = false;
  if (hasRender) {
    context.drawImage(imageCanvas(image), 0, 0, width, height);
    if (hasTiles) {
      // Only the tiles have colours. Safari's canvas has no `filter`.
      context.globalCompositeOperation = "saturation";
      context.fillRect(0, 0, width, height);
      context.globalCompositeOperation = "source-over";
    }
    yield;
  }
  if (hasTiles) {
    const { size, across, down, lengths, passes } = inspection.tiles;
    const maximum = rampMaximum(scene);
    const ramp = colorRamp("viridis");
    const data = new Uint8ClampedArray(4 * lengths.length);
    for (let tile = 0; tile < lengths.length; tile++) {
      const offset = rampOffset(lengths[tile] / maximum);
      data.set(ramp.bytes.subarray(offset, offset + 4), 4 * tile);
    }
    context.globalAlpha = hasRender ? 0.6 : 1;
    const tile = size.map((side) => side * pixel);
    context.drawImage(imageCanvas({ width: across, height: down, data }), 0, 0, across * tile[0], down * tile[1]);
    context.globalAlpha = 1;
    yield;
    // Lines between the tiles, unless the tiles are too small.
    Object.assign(context, { strokeStyle: "rgb(0 0 0 / 0.28)", lineWidth: 1 });
    if (Math.min(...tile) >= 6) context.stroke(new Path2D(gridPath(across, down, tile)));
    drawOverflow(context, passes, across, tile);
    yield;
  }
  if (hasEllipses) yield* drawEllipses(context, scene, hasRender || hasTiles);
}

/** Draws a stroke through a tile for each pass after its first. */
function drawOverflow(
  context: CanvasRenderingContext2D,
  passes: Uint32Array,
  across: number,
  [width, height]: readonly number[],
): void {
  const strokes: string[] = [];
  for (const [tile, pass] of passes.entries()) {
    const [count, y] = [Math.min(pass - 1, 3), Math.floor(tile / across) * height];
    for (let i = 1; i <= count; i++) {
      const x = ((tile % across) + i / (count + 1)) * width;
      strokes.push(`M${x - 0.15 * width} ${y + 0.85 * height}L${x + 0.15 * width} ${y + 0.15 * height}`);
    }
  }
  Object.assign(context, {
    strokeStyle: "rgb(255 255 255 / 0.8)",
    lineWidth: Math.max(1, Math.min(width, height) / 10),
    lineCap: "round",
  });
  context.stroke(new Path2D(strokes.join("")));
}

function* drawEllipses(context: CanvasRenderingContext2D, scene: Scene, isOverlay: boolean): Generator<void> {
  const { width, height } = context.canvas;
  const stride = ellipseStride(scene);
  context.lineWidth = Math.max(1, width / 900);
  context.globalAlpha = isOverlay ? 0.5 : 0.9;
  for (let i = 0; i < scene.boxes.length; i += stride) {
    context.setTransform(width, 0, 0, height, 0, 0);
    context.beginPath();
    addEllipse(context, scene.boxes[i]);
    context.resetTransform();
    context.strokeStyle = isOverlay ? "white" : colorOf(scene, i);
    context.stroke();
    if (i % (16 * stride) === 0) yield;
  }
  context.globalAlpha = 1;
}
