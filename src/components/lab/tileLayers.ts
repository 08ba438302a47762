import type { Image } from "../../engine/image.js";
import { canvasOf } from "../canvasOf.js";
import type { ColorRamp } from "../colorRamp.js";
import { rampOffset } from "../rampOffset.js";
import { addBox, addEllipse, colorOf, type Scene } from "./scene.js";
import { blobCount, type TileList } from "./tileList.js";

/** What the overlay shows. */
export interface Layers {
  picture: boolean;
  tiles: boolean;
  ellipses: boolean;
}

/** Ellipses that are drawn at most; of more blobs, every so many-th is. */
export const mostEllipses = 1500;

/** Of how many blobs one is drawn. */
export function ellipseStride(scene: Scene): number {
  return Math.ceil(blobCount(scene) / mostEllipses);
}

/**
 * Draws the layers, some ellipses at a time.
 * @param picture the look's picture
 */
export function* drawLayers(
  context: CanvasRenderingContext2D,
  scene: Scene,
  picture: Image,
  layers: Layers,
  ramp: ColorRamp,
  most: number,
): Generator<void> {
  const { width, height } = context.canvas;
  const { target, look } = scene;
  const pixel = width / target.width;
  context.clearRect(0, 0, width, height);
  context.imageSmoothingEnabled = false;
  if (layers.picture) {
    // Grey beneath the tiles, whose colours mean something.
    context.filter = layers.tiles ? "grayscale(1)" : "none";
    context.drawImage(canvasOf(picture), 0, 0, width, height);
    context.filter = "none";
    yield;
  }
  if (layers.tiles) {
    const { size, across, down, lengths, passes } = look.tiles;
    const data = new Uint8ClampedArray(4 * lengths.length);
    for (let tile = 0; tile < lengths.length; tile++) {
      const offset = rampOffset(lengths[tile] / most);
      data.set(ramp.bytes.subarray(offset, offset + 4), 4 * tile);
    }
    context.globalAlpha = layers.picture ? 0.6 : 1;
    const [tileWidth, tileHeight] = size.map((side) => side * pixel);
    context.drawImage(canvasOf({ width: across, height: down, data }), 0, 0, across * tileWidth, down * tileHeight);
    context.globalAlpha = 1;
    yield;
    drawGrid(context, across, down, tileWidth, tileHeight);
    drawOverflow(context, passes, across, tileWidth, tileHeight);
    yield;
  }
  if (layers.ellipses) yield* drawEllipses(context, scene, layers.picture || layers.tiles);
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

/** Blobs of a tile that are drawn and listed at most: the first. */
export const mostListed = 400;

/** Draws a tile, the ellipses of its blobs and their 4σ boxes, some at a time. */
export function* drawSelection(context: CanvasRenderingContext2D, scene: Scene, list: TileList): Generator<void> {
  const { width, height } = context.canvas;
  const { target, look, boxes } = scene;
  const [tileWidth, tileHeight] = look.tiles.size;
  const thin = Math.max(1, width / 900);
  const path = (add: () => void) => {
    context.setTransform(width, 0, 0, height, 0, 0);
    context.beginPath();
    add();
    context.resetTransform();
  };
  const blobs = list.passes.flatMap((pass) => Array.from(pass)).slice(0, mostListed);
  path(() => {
    for (const blob of blobs) addBox(context, boxes[blob]);
  });
  context.strokeStyle = "rgb(255 255 255 / 0.35)";
  context.lineWidth = thin;
  context.stroke();
  for (const [i, blob] of blobs.entries()) {
    if (i % 16 === 0) yield;
    path(() => addEllipse(context, boxes[blob]));
    context.globalAlpha = 0.15 + (0.75 * scene.colors[4 * blob + 3]) / 255;
    context.fillStyle = colorOf(scene, blob);
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = "black";
    context.lineWidth = 2 * thin;
    context.stroke();
    context.strokeStyle = "white";
    context.lineWidth = thin;
    context.stroke();
  }
  const scale = width / target.width;
  const rectangle = [list.x, list.y, tileWidth, tileHeight].map((n) => n * scale) as [number, number, number, number];
  context.strokeStyle = "black";
  context.lineWidth = 5 * thin;
  context.strokeRect(...rectangle);
  context.strokeStyle = "white";
  context.lineWidth = 2.5 * thin;
  context.strokeRect(...rectangle);
}
