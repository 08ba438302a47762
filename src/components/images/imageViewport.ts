import { html } from "htl";
import { pinPointed, pointAt } from "../figures/pointing.js";
import { arrowDirection } from "../inputs/arrowKeys.js";
import { announce, setText } from "../page/element.js";
import type { ImageFigure } from "./imageFigure.js";
import { fullView, panBy, panTo, type View, zoomAt } from "./view.js";

/** A position in an image, in fractions of its sides. */
export interface Position {
  x: number;
  y: number;
}

/** Zoom buttons of several images, which take keys too. */
export type ImageViewport = HTMLElement & {
  /** Sets the function that returns the thing at a position, such as "blob:12", to point at it and to pin it by a click. */
  find(thingAt: (position: Position) => string | undefined): void;
  /** Draws shapes over each image, in fractions of its sides. */
  draw(...shapes: SVGElement[]): void;
};

const frameSelector = ".image-frame, .wipe-image";
/** Pixels that a mouse may move within a click. */
const clickTolerance = 4;

/**
 * Zooms and pans all images in an element together, also those that are added later: by Ctrl + wheel, pinching, keys and
 * dragging. The pointed pixel is marked in each image, with its value. The wheel without Ctrl scrolls the page, and so
 * does one finger unless the images are zoomed.
 */
export function imageViewport(root: HTMLElement, label: string): ImageViewport {
  let view = fullView;
  let cursor: Position | undefined;
  let pointedFrame: Element | undefined;
  let shapes: SVGElement[] = [];
  let thingAt: ((position: Position) => string | undefined) | undefined;
  const figures = () => root.querySelectorAll<ImageFigure>("figure.image-figure");
  const button = (text: string, label: string, onclick: () => void) =>
    html`<button type="button" class="quiet" tabindex="-1" aria-label=${label} onclick=${onclick}>${text}</button>`;
  const center = (): Position => ({ x: view.x + 0.5 / view.zoom, y: view.y + 0.5 / view.zoom });
  const focusPoint = () => cursor ?? center();
  const zoomBy = (factor: number) => zoomTo(zoomAt(view, factor, focusPoint().x, focusPoint().y));
  /** Zooms by button or key, which screen readers announce. */
  const zoomTo = (next: View) => {
    setView(next);
    announce(status, resetButton.textContent!, true);
  };
  const zoomOutButton = button("−", "Smaller", () => zoomBy(1 / 2));
  const resetButton = button("1×", "1×, show all", () => zoomTo(fullView));
  const zoomInButton = button("+", "Larger", () => zoomBy(2));
  const status = html`<output class="visually-hidden"></output>`;
  const onkeydown = (event: KeyboardEvent) => {
    const delta = arrowDirection(event);
    if (delta) {
      const canvas = root.querySelector<HTMLCanvasElement>(".image-frame canvas");
      if (!canvas) return;
      const { width, height } = canvas;
      const nextPixel = (from: number, step: number, count: number) =>
        (Math.min(Math.max(Math.floor(from * count) + step * (event.shiftKey ? 8 : 1), 0), count - 1) + 0.5) / count;
      const place = { x: nextPixel(focusPoint().x, delta[0], width), y: nextPixel(focusPoint().y, delta[1], height) };
      setView(panTo(view, place.x, place.y));
      point(place, canvas, true);
    } else if (event.key === "+" || event.key === "=") zoomBy(2);
    else if (event.key === "-") zoomBy(1 / 2);
    else if (event.key === "0") zoomTo(fullView);
    else if (event.key === "Enter" && event.target === node) pinPointed();
  };
  const name = `${label}: plus and minus zoom, the arrow keys point at a pixel`;
  // A span can be part of a sentence.
  const node = html<ImageViewport>`<span
    class="image-window" tabindex="0" role="group" aria-label=${name} onkeydown=${onkeydown}
  >${[zoomOutButton, resetButton, zoomInButton, status]}</span>`;

  const setView = (next: View) => {
    view = next;
    const { zoom, x, y } = view;
    root.classList.toggle("is-zoomed", zoom > 1);
    for (const [name, value] of Object.entries({
      "--zoom": zoom,
      "--view-x": `${100 * x}%`,
      "--view-y": `${100 * y}%`,
    }))
      root.style.setProperty(name, String(value));
    setText(resetButton, `${Number(zoom.toPrecision(2))}×`);
    resetButton.ariaLabel = `${resetButton.textContent}, show all`;
    for (const drawing of root.querySelectorAll(".image-shapes"))
      drawing.setAttribute("viewBox", `${x} ${y} ${1 / zoom} ${1 / zoom}`);
  };
  /** @param isByReader whether the reader used keys, so screen readers announce the pixel */
  const point = (requested: Position | undefined, frame?: Element, isByReader = false) => {
    // The frame can be larger than its image.
    const place =
      requested && [requested.x, requested.y].every((fraction) => fraction >= 0 && fraction <= 1)
        ? requested
        : undefined;
    [cursor, pointedFrame] = [place, frame];
    const thing = place && thingAt?.(place);
    const descriptions = Array.from(figures(), (figure) =>
      figure.point(place, thing && frame && figure.contains(frame) ? thing.replace(":", " ") : undefined),
    );
    if (place && thingAt) pointAt(thing);
    announce(status, descriptions.filter(Boolean).join("; "), isByReader);
  };

  const frameOf = ({ target }: Event) => (target instanceof Element ? target.closest(frameSelector) : null);
  /** Returns the position of a pointer in the image of a frame. */
  const positionIn = (frame: Element, { clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    return { x: view.x + (clientX - left) / width / view.zoom, y: view.y + (clientY - top) / height / view.zoom };
  };
  const dragBy = (frame: Element, x: number, y: number) => {
    const { width, height } = frame.getBoundingClientRect();
    setView(panBy(view, -x / width / view.zoom, -y / height / view.zoom));
  };

  root.addEventListener(
    "wheel",
    (event) => {
      const frame = frameOf(event);
      if (!frame || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const { x, y } = positionIn(frame, event);
      // The unit is lines or pixels. Pinching on a touchpad comes as a wheel with Ctrl, in small steps.
      const way = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1);
      setView(zoomAt(view, 2 ** (-way * (Math.abs(way) < 50 ? 0.01 : 0.005)), x, y));
    },
    { passive: false },
  );
  let drag: { frame: Element; x: number; y: number; hasMoved: boolean } | undefined;
  let fingers: { distance: number; x: number; y: number } | undefined;
  root.onpointerdown = (event) => {
    const frame = frameOf(event);
    drag = undefined;
    if (!frame) return;
    // A tap points.
    if (frame.matches(".image-frame")) point(positionIn(frame, event), frame);
    const isInput = event.target instanceof Element && event.target.closest("input");
    if (event.button === 0 && !isInput) drag = { frame, x: event.clientX, y: event.clientY, hasMoved: false };
    if (drag && event.pointerType === "mouse") event.preventDefault();
  };
  root.onpointermove = (event) => {
    const frame = frameOf(event);
    if (drag && event.buttons === 1 && view.zoom > 1 && !fingers) {
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.hasMoved && Math.hypot(x, y) < clickTolerance) return;
      dragBy(drag.frame, x, y);
      drag = { ...drag, x: event.clientX, y: event.clientY, hasMoved: true };
    } else if (frame?.matches(".image-frame") && event.pointerType === "mouse") point(positionIn(frame, event), frame);
    else if (!frame && cursor && event.pointerType === "mouse") point(undefined);
  };
  // The end of a drag is not a click.
  root.addEventListener(
    "click",
    (event) => {
      // A click by key has detail 0.
      if (drag?.hasMoved && event.detail > 0) event.stopPropagation();
      drag = undefined;
    },
    { capture: true },
  );
  root.onpointerleave = ({ pointerType }) => {
    if (pointerType === "mouse") point(undefined);
  };
  const pinch = (event: TouchEvent) => {
    const frame = frameOf(event);
    if (!frame || event.touches.length !== 2) {
      fingers = undefined;
      return;
    }
    if (event.cancelable) event.preventDefault();
    const [a, b] = event.touches;
    const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    const at = { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
    if (fingers) {
      // The point between the fingers stays between them.
      const { x, y } = positionIn(frame, { clientX: fingers.x, clientY: fingers.y });
      setView(zoomAt(view, distance / fingers.distance, x, y));
      dragBy(frame, at.clientX - fingers.x, at.clientY - fingers.y);
    }
    fingers = { distance, x: at.clientX, y: at.clientY };
  };
  for (const name of ["touchstart", "touchmove", "touchend"] as const)
    root.addEventListener(name, pinch, { passive: false });
  root.classList.add("has-window");
  node.find = (next) => {
    const isFirst = !thingAt;
    thingAt = next;
    root.classList.add("has-things");
    // The pointer may have been there before.
    if (isFirst && cursor) point(cursor, pointedFrame);
  };
  node.draw = (...newShapes) => {
    for (const shape of shapes) shape.remove();
    const drawings = Array.from(root.querySelectorAll(".image-shapes"));
    const copies = drawings.map(() => newShapes.map((shape) => shape.cloneNode() as SVGElement));
    for (const [i, drawing] of drawings.entries()) drawing.prepend(...copies[i]);
    shapes = copies.flat();
  };
  return node;
}
