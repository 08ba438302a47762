import type { Image } from "../../engine/image.js";
import { backstage } from "../backstage/backstage.js";
import { canvasOf } from "../figures/canvasOf.js";
import { element } from "../page/element.js";
import { colorRamp } from "../pictures/colorRamp.js";
import { rampOffset } from "../pictures/rampOffset.js";
import { roundedUp } from "../runs/logAxis.js";
import { inFrames } from "./inFrames.js";
import { addEllipse, colorOf, type Scene } from "./scene.js";
import { blobCount } from "./tileList.js";

/** What can be shown of a picture's tiles, one above the other. */
export const layerNames = ["picture", "tiles", "1σ ellipses"] as const;

/** Ellipses that are drawn at most; of more blobs, every so many-th is. */
export const mostEllipses = 1500;

/** Of how many blobs one is drawn. */
export function ellipseStride(scene: Scene): number {
  return Math.ceil(blobCount(scene) / mostEllipses);
}

/** The length of a short-list that has the ramp's last colour: one tile in fifty exceeds it. */
export function commonlyLongest({ look }: Scene): number {
  const lengths = look.tiles.lengths.toSorted();
  return roundedUp(lengths[Math.floor(0.98 * (lengths.length - 1))]);
}

/**
 * The picture of a look, its tiles by the length of their short-lists, and the blobs' ellipses above them.
 * @param layers names of `layerNames`
 * @param width pixels across
 */
export async function tileLayers(scene: Scene, layers: readonly string[], width: number): Promise<HTMLCanvasElement> {
  const { target, look } = scene;
  const height = Math.round((width * target.height) / target.width);
  const canvas = element("canvas", { width, height });
  const picture = await backstage("toImage", look.picture);
  await inFrames(drawLayers(canvas.getContext("2d")!, scene, picture, layers));
  return canvas;
}

function* drawLayers(
  context: CanvasRenderingContext2D,
  scene: Scene,
  picture: Image,
  layers: readonly string[],
): Generator<void> {
  const { width, height } = context.canvas;
  const { target, look } = scene;
  const pixel = width / target.width;
  const [hasPicture, hasTiles, hasEllipses] = layerNames.map((name) => layers.includes(name));
  context.imageSmoothingEnabled = false;
  if (hasPicture) {
    // Grey beneath the tiles, whose colours mean something.
    context.filter = hasTiles ? "grayscale(1)" : "none";
    context.drawImage(canvasOf(picture), 0, 0, width, height);
    context.filter = "none";
    yield;
  }
  if (hasTiles) {
    const { size, across, down, lengths, passes } = look.tiles;
    const most = commonlyLongest(scene);
    const ramp = colorRamp("viridis");
    const data = new Uint8ClampedArray(4 * lengths.length);
    for (let tile = 0; tile < lengths.length; tile++) {
      const offset = rampOffset(lengths[tile] / most);
      data.set(ramp.bytes.subarray(offset, offset + 4), 4 * tile);
    }
    context.globalAlpha = hasPicture ? 0.6 : 1;
    const [tileWidth, tileHeight] = size.map((side) => side * pixel);
    context.drawImage(canvasOf({ width: across, height: down, data }), 0, 0, across * tileWidth, down * tileHeight);
    context.globalAlpha = 1;
    yield;
    drawGrid(context, across, down, tileWidth, tileHeight);
    drawOverflow(context, passes, across, tileWidth, tileHeight);
    yield;
  }
  if (hasEllipses) yield* drawEllipses(context, scene, hasPicture || hasTiles);
}

/** Thin lines between tiles, where there is room for them. */
function drawGrid(
  context: CanvasRenderingContext2D,
  across: number,
  down: number,
  width: number,
  height: number,
): void {
  if (Math.min(width, height) < 6) return;
  context.beginPath();
  for (let x = 1; x < across; x++) {
    context.moveTo(x * width, 0);
    context.lineTo(x * width, down * height);
  }
  for (let y = 1; y < down; y++) {
    context.moveTo(0, y * height);
    context.lineTo(across * width, y * height);
  }
  context.strokeStyle = "rgb(0 0 0 / 0.28)";
  context.lineWidth = 1;
  context.stroke();
}

/** A stroke through each tile for every pass beyond its first. */
function drawOverflow(
  context: CanvasRenderingContext2D,
  passes: Uint32Array,
  across: number,
  width: number,
  height: number,
): void {
  context.beginPath();
  for (let tile = 0; tile < passes.length; tile++) {
    const strokes = Math.min(passes[tile] - 1, 3);
    const x = (tile % across) * width;
    const y = Math.floor(tile / across) * height;
    for (let i = 1; i <= strokes; i++) {
      const at = x + (i * width) / (strokes + 1);
      context.moveTo(at - 0.15 * width, y + 0.85 * height);
      context.lineTo(at + 0.15 * width, y + 0.15 * height);
    }
  }
  context.strokeStyle = "rgb(255 255 255 / 0.8)";
  context.lineWidth = Math.max(1, Math.min(width, height) / 10);
  context.lineCap = "round";
  context.stroke();
}

function* drawEllipses(context: CanvasRenderingContext2D, scene: Scene, isOverSomething: boolean): Generator<void> {
  const { width, height } = context.canvas;
  const stride = ellipseStride(scene);
  context.lineWidth = Math.max(1, width / 900);
  context.globalAlpha = isOverSomething ? 0.5 : 0.9;
  for (let i = 0; i < scene.boxes.length; i += stride) {
    context.setTransform(width, 0, 0, height, 0, 0);
    context.beginPath();
    addEllipse(context, scene.boxes[i]);
    context.resetTransform();
    context.strokeStyle = isOverSomething ? "white" : colorOf(scene, i);
    context.stroke();
    if (i % (16 * stride) === 0) yield;
  }
  context.globalAlpha = 1;
}
