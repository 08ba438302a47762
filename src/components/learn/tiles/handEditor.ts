import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { arrowDirection } from "../../inputs/arrowKeys.js";
import { numberField } from "../../inputs/numberField.js";
import { oneTabStop } from "../../inputs/oneTabStop.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { setText, svg } from "../../page/element.js";
import { type HandBlob, handBlobs, handLimits, handSize } from "./handScene.js";

/** An input for `view` with blobs as its value that the reader moves. */
export type HandEditor = HTMLElement & {
  /** The blobs, and the one that was chosen last, null before the first choice. */
  value: { blobs: HandBlob[]; chosen: number | null };
  /** The handles, to be laid over the image. */
  grips: SVGSVGElement;
  /** Chooses a blob as a click on it does. */
  choose(blob: number): void;
  /** Moves the handles and sliders to a blob. */
  show(blob: number): void;
};

type Point = [x: number, y: number];

const { thinnest, longest, outside } = handLimits;

/** Returns an editor of nine blobs, to be dragged, widened and turned by pointer, keys or sliders. */
export function handEditor(): HandEditor {
  let blobs = handBlobs();
  let selected = 0;
  const choose = (blob: number) => {
    selected = blob;
    positionHandles();
    setInputValue(node, { blobs: blobs.map((each) => ({ ...each })), chosen: blob });
  };
  const change = (index: number, changes: Partial<HandBlob>) => {
    Object.assign(blobs[index], changes);
    choose(index);
  };

  const sliders = Inputs.form<Record<"length" | "width" | "angle", number>>({
    length: numberField("Length σ in pixels", [thinnest, longest], { value: 1, step: 0.1 }),
    width: numberField("Width σ in pixels", [thinnest, longest], { value: 1, step: 0.1 }),
    angle: numberField("Rotation in degrees", [-90, 90], { value: 0 }),
  });
  // The editor has input events of its own.
  sliders.oninput = (event) => {
    event.stopPropagation();
    change(selected, sliders.value);
  };
  const title = html`<strong>`;
  const reset = () => {
    blobs = handBlobs();
    choose(selected);
  };
  const resetButton = html`<button type="button" onclick=${reset}>Reset</button>`;
  const node = html`<div class="hand-editor">${title}${sliders}${resetButton}</div>` as HandEditor;

  const bodies = blobs.map((_, index) => {
    const body = svg("ellipse", {
      class: "hand-body",
      tabindex: 0,
      role: "button",
      "aria-label": `Blob ${index}: press Enter to grab it; then the arrow keys move it, with Shift rotate and lengthen it, with Alt widen it`,
      "aria-pressed": "false",
      onfocus: () => index !== selected && choose(index),
      onblur: () => {
        body.ariaPressed = "false";
      },
      onkeydown: (event: KeyboardEvent) => {
        const isGrabbed = body.ariaPressed === "true";
        if (event.key === "Enter" || event.key === " " || (isGrabbed && event.key === "Escape")) {
          event.preventDefault();
          event.stopPropagation();
          body.ariaPressed = String(!isGrabbed);
        }
        if (!isGrabbed) return;
        const [dx, dy] = arrowDirection(event) ?? [0, 0];
        const { x, y, length, width, angle } = blobs[index];
        if (dx === 0 && dy === 0) return;
        event.stopPropagation();
        if (event.shiftKey)
          change(index, { angle: normalizeAngle(angle + 5 * dx), length: clampSigma(length - 0.2 * dy) });
        else if (event.altKey) change(index, { width: clampSigma(width - 0.2 * dy) });
        else change(index, clampCenter(x + dx, y + dy));
      },
    });
    drag(body, () => {
      const { x, y } = blobs[index];
      return (current, from) => change(index, clampCenter(x + current[0] - from[0], y + current[1] - from[1]));
    });
    return linkThings(body, `blob:hand.${index}`);
  });
  const handles = (["length", "width"] as const).map((name) => {
    const grip = svg("circle", { class: "hand-handle", r: 0.9 });
    drag(grip, () => ([x, y]) => {
      const [dx, dy] = [x - blobs[selected].x, y - blobs[selected].y];
      const turned = name === "length" && { angle: normalizeAngle((Math.atan2(dy, dx) * 180) / Math.PI) };
      change(selected, { [name]: clampSigma(Math.hypot(dx, dy) / 4), ...turned });
    });
    return grip;
  });
  const grips = svg(
    "svg",
    { class: "hand-grips", viewBox: `0 0 ${handSize.width} ${handSize.height}`, role: "group", "aria-label": "Blobs" },
    ...bodies,
    ...handles,
  );
  oneTabStop(grips);
  const positionHandles = () => {
    for (const [index, { x, y, length, width, angle }] of blobs.entries()) {
      const transform = `translate(${x} ${y}) rotate(${angle})`;
      setAttributes(bodies[index], { rx: 1.6 * Math.max(length, 1), ry: 1.6 * Math.max(width, 1), transform });
      bodies[index].classList.toggle("chosen", index === selected);
      if (index !== selected) continue;
      // At the sides of the box.
      setAttributes(handles[0], { cx: 4 * length, transform });
      setAttributes(handles[1], { cy: 4 * width, transform });
    }
  };
  node.show = (blob) => {
    selected = blob;
    positionHandles();
    setText(title, `Blob ${blob}`);
    const { length, width, angle } = blobs[blob];
    const { value } = sliders;
    // A number that is being typed stays as it is.
    if (value.length !== length || value.width !== width || value.angle !== angle)
      sliders.value = { length, width, angle };
  };
  node.value = { blobs, chosen: null };
  node.show(0);
  return Object.assign(node, { grips, choose });
}

function setAttributes(node: SVGElement, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/**
 * Makes a shape draggable.
 * @param startDrag returns the listener of a drag, called with the current and the first position in pixels of the image
 */
function drag(grip: SVGGraphicsElement, startDrag: () => (current: Point, from: Point) => void): void {
  let from: Point;
  let move: (at: Point, from: Point) => void;
  const pixelAt = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top, width, height } = grip.ownerSVGElement!.getBoundingClientRect();
    return [((clientX - left) / width) * handSize.width, ((clientY - top) / height) * handSize.height];
  };
  grip.onpointerdown = (event) => {
    grip.setPointerCapture(event.pointerId);
    from = pixelAt(event);
    move = startDrag();
  };
  grip.onpointermove = (event) => {
    if (grip.hasPointerCapture(event.pointerId)) move(pixelAt(event), from);
  };
}

function clampCenter(x: number, y: number): { x: number; y: number } {
  return { x: clamp(x, -outside, handSize.width + outside), y: clamp(y, -outside, handSize.height + outside) };
}

function clampSigma(length: number): number {
  return clamp(length, thinnest, longest);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Returns the same direction of a line between −90° and 90°. */
function normalizeAngle(degrees: number): number {
  return degrees - 180 * Math.round(degrees / 180);
}
