import { clamp } from "../../engine/clamp.js";
import type { Size } from "../../engine/image/image.js";
import { arrowDirection } from "../inputs/arrowKeys.js";
import { svg } from "../page/element.js";

/** The outline of a blob, in pixels. */
export interface Ellipse {
  x: number;
  y: number;
  /** Standard deviations along its two axes. */
  length: number;
  width: number;
  /** From the x axis to the first axis, in degrees, clockwise on the screen. */
  angle: number;
}

export interface GripOptions {
  /** The size of the image in pixels. */
  size: Size;
  /** The limits of `length` and `width`, and how far outside the image a centre may be. */
  limits: { thinnest: number; longest: number; outside: number };
  /** Returns the accessible name of an ellipse. */
  label(index: number): string;
  ellipseOf(index: number): Ellipse;
  change(index: number, changes: Partial<Ellipse>): void;
  /** Deviations from the centre to the drawn ellipse, and to its handles. */
  reach: { body: number; handle: number };
  /** Pixels from there to the handles. */
  stalk?: number;
  /** The position of the image's upper left corner: half a pixel before 0 if pixels are drawn around their sample. */
  origin?: number;
  /** Radius of a handle in pixels, and of the area around it that takes the pointer. */
  handle?: { radius: number; touched: number };
}

/** Handles of some ellipses, to be laid over their image. */
export type EllipseGrips = SVGSVGElement & {
  bodies: SVGEllipseElement[];
  /** Moves the handles to the ellipses, those for length and width to the selected one. */
  show(selected: number): void;
};

type Point = [x: number, y: number];

/** Returns ellipses to be dragged, lengthened, widened and rotated by pointer or keys. */
export function ellipseGrips(
  count: number,
  { size, limits, label, ellipseOf, change, reach, stalk = 0, origin = 0, handle }: GripOptions,
): EllipseGrips {
  const { radius, touched } = handle ?? { radius: 0.9, touched: 0.9 };
  let selected = 0;
  const clampSigma = (sigma: number) => clamp(sigma, limits.thinnest, limits.longest);
  const clampCenter = (x: number, y: number) => ({
    x: clamp(x, -limits.outside, size.width + limits.outside),
    y: clamp(y, -limits.outside, size.height + limits.outside),
  });
  const moveByKey = (index: number, event: KeyboardEvent) => {
    const [dx, dy] = arrowDirection(event) ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    event.stopPropagation();
    const { x, y, length, width, angle } = ellipseOf(index);
    if (event.shiftKey) change(index, { angle: normalizeAngle(angle + 5 * dx), length: clampSigma(length - 0.2 * dy) });
    else if (event.altKey) change(index, { width: clampSigma(width - 0.2 * dy) });
    else change(index, clampCenter(x + dx, y + dy));
  };
  const bodies = Array.from({ length: count }, (_, index) => {
    const body = svg("ellipse", {
      class: "hand-body",
      tabindex: 0,
      role: "button",
      "aria-label": label(index),
      onkeydown: (event: KeyboardEvent) => moveByKey(index, event),
    });
    drag(body, () => {
      const { x, y } = ellipseOf(index);
      return (current, from) => change(index, clampCenter(x + current[0] - from[0], y + current[1] - from[1]));
    });
    return body;
  });
  const handles = (["length", "width"] as const).map((name) => {
    const dot = svg("circle", { class: "hand-handle", r: radius });
    const grip = svg("g", {}, svg("circle", { class: "hand-touched", r: touched }), dot);
    drag(grip, () => ([x, y]) => {
      const center = ellipseOf(selected);
      const [dx, dy] = [x - center.x, y - center.y];
      const turned = name === "length" && { angle: normalizeAngle((Math.atan2(dy, dx) * 180) / Math.PI) };
      change(selected, { [name]: clampSigma((Math.hypot(dx, dy) - stalk) / reach.handle), ...turned });
    });
    return grip;
  });
  const node = svg(
    "svg",
    {
      class: "hand-grips",
      viewBox: `${origin} ${origin} ${size.width} ${size.height}`,
      role: "group",
      "aria-label": "Blobs",
    },
    ...bodies,
    ...handles,
  );
  const show = (index: number) => {
    selected = index;
    for (const [index, body] of bodies.entries()) {
      const { x, y, length, width, angle } = ellipseOf(index);
      const transform = `translate(${x} ${y}) rotate(${angle})`;
      setAttributes(body, {
        rx: reach.body * Math.max(length, 1),
        ry: reach.body * Math.max(width, 1),
        transform,
      });
      body.classList.toggle("chosen", index === selected);
      if (index !== selected) continue;
      for (const [k, deviation] of [length, width].entries()) {
        const radians = ((angle + 90 * k) * Math.PI) / 180;
        const distance = reach.handle * deviation + stalk;
        const [dx, dy] = [distance * Math.cos(radians), distance * Math.sin(radians)];
        // On the side that is on the image.
        const isOutside = x + dx < 0 || y + dy < 0 || x + dx > size.width || y + dy > size.height;
        const side = isOutside ? -1 : 1;
        setAttributes(handles[k], { transform: `translate(${x + side * dx} ${y + side * dy})` });
      }
    }
  };
  return Object.assign(node, { bodies, show });
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
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(grip.ownerSVGElement!.getScreenCTM()!.inverse());
    return [x, y];
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

/** Returns the same direction of a line between −90° and 90°. */
function normalizeAngle(degrees: number): number {
  return degrees - 180 * Math.round(degrees / 180);
}
