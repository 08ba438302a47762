import { html, svg } from "htl";
import { clamp } from "../../engine/clamp.js";
import type { Size } from "../../engine/image/image.js";
import {
  type Blob,
  decode,
  deviationsInPixels,
  highestCorrelation,
  lowestVariance,
  type Model,
} from "../../engine/model/blob.js";
import { blobBounds, deviations } from "../../engine/model/bounds.js";
import { arrowDirection } from "../inputs/arrowKeys.js";

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

/** The limits of the deviations, and how far outside the image a centre may be, in pixels. */
export const blobLimits = { thinnest: 0.5, longest: 12, outside: 4 };

/** Returns the first five raw parameters of a blob in the `direct` parameterization: centre and shape. */
export function directShape({ x, y, length, width, angle }: Ellipse): number[] {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const varianceX = (length * cos) ** 2 + (width * sin) ** 2;
  const varianceY = (length * sin) ** 2 + (width * cos) ** 2;
  const correlation = ((length ** 2 - width ** 2) * cos * sin) / Math.sqrt(varianceX * varianceY);
  const logDeviation = (variance: number) => 0.5 * Math.log(variance - lowestVariance);
  return [x, y, logDeviation(varianceX), logDeviation(varianceY), Math.atanh(correlation / highestCorrelation)];
}

/** Returns the outline of a blob in the pixels of its image. */
export function ellipseOf(blob: Blob, size: Size): Ellipse {
  const [deviationX, deviationY] = deviationsInPixels(blob, size);
  const inPixels = { ...blob, varianceX: deviationX ** 2, varianceY: deviationY ** 2 };
  const { axisX, axisY, halfLength, halfWidth } = blobBounds(inPixels);
  return {
    x: blob.centerX * size.width,
    y: blob.centerY * size.height,
    length: halfLength / deviations,
    width: halfWidth / deviations,
    angle: (Math.atan(axisY / axisX) * 180) / Math.PI,
  };
}

/** An input for `view`. Its value is the nine raw parameters of a blob in the `direct` parameterization. */
export type BlobEditor = HTMLElement & {
  value: number[];
  /** Replaces the image below the blob; returns the editor. */
  show(image: Element): BlobEditor;
};

const keys = "the arrow keys move it, with Shift rotate and lengthen it, with Alt widen it";

/** Returns an image with a blob's outline, to be moved, resized and rotated by its handles or by keys. */
export function blobEditor(image: Element, model: Model, start: number[]): BlobEditor {
  const { width: across, height: down } = model.size;
  let parameters = start;
  // Kept while the reader drags, since Σ does not determine which axis is which.
  let ellipse = ellipseOf(decode(start, 0, model), model.size);
  const body = svg`<ellipse tabindex="0" role="button" aria-label=${`Blob: ${keys}`} onkeydown=${moveByKey}></ellipse>`;
  const handles = [0, 1].map(
    () => svg`<g><circle class="touched" r=${0.06 * across}></circle><circle r=${0.022 * across}></circle></g>`,
  );
  // A pixel has the colour of its corner, and is drawn around it.
  const overlay = svg`<svg viewBox=${`-0.5 -0.5 ${across} ${down}`} role="group" aria-label="Outline of the blob">
    ${body}${handles}
  </svg>`;
  const imageBox = html`<div class="grid-image">${image}</div>`;
  const node = html<BlobEditor>`<div class="grid-picker blob-editor" style=${`aspect-ratio: ${across} / ${down}`}>
    ${imageBox}${overlay}
  </div>`;

  const stalk = 0.08 * across;
  function draw(): void {
    const { x, y, length, width, angle } = ellipse;
    const at = `translate(${x} ${y})`;
    setAttributes(body, {
      rx: 2 * Math.max(length, 1),
      ry: 2 * Math.max(width, 1),
      transform: `${at} rotate(${angle})`,
    });
    for (const [k, deviation] of [length, width].entries()) {
      const radians = ((angle + 90 * k) * Math.PI) / 180;
      const [dx, dy] = [Math.cos, Math.sin].map((part) => (2 * deviation + stalk) * part(radians));
      // On the side that is on the image.
      const side = x + dx < 0 || y + dy < 0 || x + dx > across || y + dy > down ? -1 : 1;
      setAttributes(handles[k], { transform: `translate(${x + side * dx} ${y + side * dy})` });
    }
  }
  function change(changes: Partial<Ellipse>): void {
    const { thinnest, longest, outside } = blobLimits;
    const { x, y, length, width, angle } = { ...ellipse, ...changes };
    ellipse = {
      x: clamp(x, -outside, across + outside),
      y: clamp(y, -outside, down + outside),
      length: clamp(length, thinnest, longest),
      width: clamp(width, thinnest, longest),
      // The same direction of a line, between −90° and 90°.
      angle: angle - 180 * Math.round(angle / 180),
    };
    parameters = [...directShape(ellipse), ...parameters.slice(5)];
    draw();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function moveByKey(event: KeyboardEvent): void {
    const direction = arrowDirection(event);
    if (!direction) return;
    const [dx, dy] = direction;
    const { x, y, length, width, angle } = ellipse;
    if (event.shiftKey) change({ angle: angle + 5 * dx, length: length - 0.2 * dy });
    else if (event.altKey) change({ width: width - 0.2 * dy });
    else change({ x: x + dx, y: y + dy });
  }
  drag(body, ([x, y], [fromX, fromY], start) => change({ x: start.x + x - fromX, y: start.y + y - fromY }));
  for (const [k, handle] of handles.entries())
    drag(handle, ([x, y]) => {
      const [dx, dy] = [x - ellipse.x, y - ellipse.y];
      const deviation = (Math.hypot(dx, dy) - stalk) / 2;
      change(k === 0 ? { length: deviation, angle: (Math.atan2(dy, dx) * 180) / Math.PI } : { width: deviation });
    });
  /** Calls back with the current and the first position of a drag, in pixels, and the ellipse at its start. */
  function drag(grip: SVGElement, move: (at: number[], from: number[], start: Ellipse) => void): void {
    let [from, start] = [[0, 0], ellipse];
    const pixelAt = ({ clientX, clientY }: MouseEvent) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(
        (overlay as SVGSVGElement).getScreenCTM()!.inverse(),
      );
      return [x, y];
    };
    grip.onpointerdown = (event) => {
      grip.setPointerCapture(event.pointerId);
      [from, start] = [pixelAt(event), ellipse];
    };
    grip.onpointermove = (event) => {
      if (grip.hasPointerCapture(event.pointerId)) move(pixelAt(event), from, start);
    };
  }

  draw();
  const show = (next: Element) => {
    imageBox.replaceChildren(next);
    return node;
  };
  const set = (next: number[]) => {
    parameters = next;
    ellipse = ellipseOf(decode(next, 0, model), model.size);
    draw();
  };
  return Object.defineProperty(Object.assign(node, { show }), "value", { get: () => parameters, set });
}

function setAttributes(node: SVGElement, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}
