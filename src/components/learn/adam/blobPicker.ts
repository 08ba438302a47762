import { decodeAll, modelOf } from "../../../engine/cpu/blob.js";
import { blobBounds } from "../../../engine/cpu/bounds.js";
import { element } from "../../element.js";
import { addEllipse } from "../../lab/scene.js";
import { onPointed, pointAt } from "../marks.js";
import type { AdamDesk } from "./adamDesk.js";

/** Pixels of the canvas's longer side. */
const side = 480;

/** The picture with the run's blobs on it, at the step that is looked at; a click chooses the nearest one. */
export function blobPicker(desk: AdamDesk): HTMLElement {
  const canvas = element("canvas", { class: "blob-picker", tabindex: 0, role: "img", width: side, height: side });
  let centers: { x: number; y: number }[] = [];
  let pointed = -1;
  const photo = document.createElement("canvas");
  let photoOf: unknown;

  const draw = () => {
    const { run, kept, step } = desk;
    if (!run) return;
    const { width, height } = run.image;
    const scale = side / Math.max(width, height);
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
    if (photoOf !== run.image) {
      photoOf = run.image;
      Object.assign(photo, { width, height });
      const pixels = new ImageData(run.image.data as Uint8ClampedArray<ArrayBuffer>, width, height);
      photo.getContext("2d")!.putImageData(pixels, 0, 0);
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.drawImage(photo, 0, 0, size.width, size.height);
    // Darker, so that outlines show.
    context.fillStyle = "rgb(0 0 0 / 55%)";
    context.fillRect(0, 0, size.width, size.height);
    const at = run.parameters[Math.min(step, run.parameters.length - 1)];
    const blobs = decodeAll(at, modelOf(run.config, run.image));
    centers = blobs.map(({ centerX, centerY }) => ({ x: centerX, y: centerY }));
    const outline = (blob: number, color: string, lineWidth: number) => {
      context.setTransform(size.width, 0, 0, size.height, 0, 0);
      context.beginPath();
      addEllipse(context, blobBounds(blobs[blob]));
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.strokeStyle = color;
      context.lineWidth = lineWidth;
      context.stroke();
    };
    for (const blob of blobs.keys()) outline(blob, "rgb(255 255 255 / 40%)", 1);
    if (pointed >= 0 && pointed < blobs.length) outline(pointed, "#efb118", 4);
    outline(kept, "#000", 6);
    outline(kept, "#fff", 3);
    canvas.ariaLabel = `The picture with ${blobs.length} blobs; blob ${run.kept[kept]} is chosen. Left and right choose others.`;
  };
  const nearest = ({ clientX, clientY }: MouseEvent) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    const distance = (center: { x: number; y: number }) => Math.hypot(center.x - x, center.y - y);
    return centers.reduce((best, center, at) => (distance(center) < distance(centers[best]) ? at : best), 0);
  };
  canvas.addEventListener("click", (event) => {
    if (desk.run) desk.set({ kept: nearest(event), source: "recorded" });
  });
  canvas.addEventListener("pointermove", (event) => {
    if (desk.run) pointAt(`blob:${desk.run.kept[nearest(event)]}`);
  });
  canvas.addEventListener("pointerleave", () => pointAt());
  canvas.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !desk.run) return;
    event.preventDefault();
    const { length } = desk.run.kept;
    desk.set({ kept: (desk.kept + by + length) % length, source: "recorded" });
  });
  onPointed(canvas, (things) => {
    const named = things.find((thing) => thing.startsWith("blob:"));
    const next = named && desk.run ? desk.run.kept.indexOf(Number(named.slice(5))) : -1;
    if (next === pointed) return;
    pointed = next;
    draw();
  });
  desk.observe(canvas, draw);
  desk.observeStep(canvas, draw);
  draw();
  return element("div", { class: "blob-picker-frame" }, canvas);
}
