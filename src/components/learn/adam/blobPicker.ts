import { html } from "htl";
import { decodeAll, modelOf } from "../../../engine/model/blob.js";
import { blobBounds } from "../../../engine/model/bounds.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { addEllipse } from "../../lab/scene.js";
import type { TrainedRun } from "./recordedTraining.js";

const side = 480;

/** An input with the position of a blob among the recorded ones as its value. */
export type BlobPicker = HTMLElement & {
  value: number;
  /** Shows the blobs after a number of steps. */
  show(step: number): void;
};

/** Returns the image with a run's blobs; a click chooses the nearest one. */
export function blobPicker({ image, config, kept, parameters }: TrainedRun, value: number): BlobPicker {
  const scale = side / Math.max(image.width, image.height);
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  const listeners = {
    onclick: (event: MouseEvent) => setInputValue(node, nearest(event)),
    onpointermove: (event: PointerEvent) => hover(nearest(event)),
    onpointerleave: () => hover(-1),
    onkeydown: (event: KeyboardEvent) => {
      const offset = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!offset) return;
      event.preventDefault();
      setInputValue(node, (value + offset + kept.length) % kept.length);
    },
  };
  const canvas = html`<canvas tabindex="0" role="img" ${{ width, height, ...listeners }}>` as HTMLCanvasElement;
  const photo = imageCanvas(image);
  let step = 0;
  let hovered = -1;
  const blobs = () => decodeAll(parameters[step], modelOf(config, image));
  const draw = () => {
    const context = canvas.getContext("2d")!;
    context.drawImage(photo, 0, 0, width, height);
    // Darker, so that outlines are visible.
    context.fillStyle = "rgb(0 0 0 / 55%)";
    context.fillRect(0, 0, width, height);
    const boxes = Array.from(blobs(), blobBounds);
    const outline = (shown: typeof boxes, color: string, lineWidth: number) => {
      context.setTransform(width, 0, 0, height, 0, 0);
      context.beginPath();
      for (const box of shown) addEllipse(context, box);
      context.resetTransform();
      Object.assign(context, { strokeStyle: color, lineWidth });
      context.stroke();
    };
    outline(boxes, "rgb(255 255 255 / 40%)", 1);
    if (hovered >= 0) outline([boxes[hovered]], "#efb118", 4);
    outline([boxes[value]], "#000", 6);
    outline([boxes[value]], "#fff", 3);
    canvas.ariaLabel = `The image with ${boxes.length} blobs; blob ${kept[value]} is chosen. Left and right choose others.`;
  };
  const nearest = ({ clientX, clientY }: MouseEvent) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    const distances = Array.from(blobs(), ({ centerX, centerY }) => Math.hypot(centerX - x, centerY - y));
    return distances.indexOf(Math.min(...distances));
  };
  const hover = (blob: number) => {
    if (blob === hovered) return;
    hovered = blob;
    draw();
  };
  const node = html`<div class="blob-picker">${canvas}</div>` as BlobPicker;
  node.show = (next) => {
    step = next;
    draw();
  };
  const accessor = {
    get: () => value,
    set(next: number) {
      value = next;
      draw();
    },
  };
  draw();
  return Object.defineProperty(node, "value", accessor);
}
