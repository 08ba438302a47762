import { html, svg } from "htl";
import { announce } from "../page/element.js";
import { arrowDirection } from "./arrowKeys.js";

/** A cell of a grid, counted from 0 at the upper left. */
export interface GridCell {
  column: number;
  row: number;
}

export interface GridOptions {
  /** Size of the image in pixels. */
  width: number;
  height: number;
  /** Size of a cell in pixels. Cells at the right and lower edges may extend beyond the image. */
  cell?: readonly [width: number, height: number];
  /** The accessible name, with the effect of a choice: "Tiles of the image; the tile list is next to it". */
  label: string;
  /** The initial cell. */
  value?: GridCell;
  /** Whether hovering chooses a cell until the mouse leaves; then the one chosen by click or keys is chosen again. */
  hovers?: boolean;
  /** Cells that Shift + an arrow key moves. */
  stride?: number;
}

/** An input for `view`. Its value is a cell of the grid over an image. `Inputs.bind` links it with other inputs. */
export type GridPicker = HTMLElement & {
  value: GridCell;
  /** Replaces the image below the grid; returns itself. */
  show(image: Element): GridPicker;
  /** Draws shapes over the image, in its pixels, below the mark of the chosen cell. */
  draw(...shapes: SVGElement[]): void;
};

/**
 * Returns an input that chooses a tile or a pixel of an image by mouse, touch or arrow keys.
 * @param image a canvas or an image, which fills the input
 */
export function gridPicker(
  image: Element,
  { width, height, cell = [1, 1], label, value, hovers = false, stride = 8 }: GridOptions,
): GridPicker {
  const columns = Math.ceil(width / cell[0]);
  const rows = Math.ceil(height / cell[1]);
  // A light line over a dark one is visible on any image.
  const [dark, light] = ["outline dark", "outline"].map(
    (name) => svg`<rect class=${name} width=${cell[0]} height=${cell[1]}></rect>`,
  );
  const lines = svg`<path class="outline guide"></path>`;
  const shapes = svg`<g></g>`;
  const overlay = svg`<svg viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">${[shapes, lines, dark, light]}</svg>`;
  const imageBox = html`<div class="grid-image">${image}</div>`;
  const status = html`<output class="visually-hidden"></output>`;
  const listeners = {
    onclick: (event: MouseEvent) => chooseAt(event),
    onpointermove: (event: PointerEvent) => {
      if (event.pointerType === "mouse" && (hovers || event.buttons === 1)) chooseAt(event, event.buttons === 1);
    },
    onpointerleave: () => choose(committed.column, committed.row),
    onkeydown: (event: KeyboardEvent) => {
      const direction = arrowDirection(event);
      if (!direction) return;
      const step = event.shiftKey ? stride : 1;
      choose(committed.column + step * direction[0], committed.row + step * direction[1]);
    },
  };
  const node = html<GridPicker>`<div
    class="grid-picker" tabindex="0" role="application"
    style=${`aspect-ratio: ${width} / ${height}; max-width: ${(75 * width) / height}vh`} aria-label=${`${label}; the arrow keys choose`} ${listeners}
  >${imageBox}${overlay}${status}</div>`;

  const isInGrid = value && value.column < columns && value.row < rows;
  let chosen = isInGrid ? value : { column: columns >> 1, row: rows >> 1 };
  /** The cell that is chosen again when a hovering mouse leaves. */
  let committed = chosen;
  const show = (next: GridCell, isByReader = false) => {
    chosen = next;
    const { column, row } = next;
    const [x, y] = [column * cell[0], row * cell[1]];
    for (const rect of [dark, light]) {
      rect.setAttribute("x", String(x));
      rect.setAttribute("y", String(y));
    }
    // Guide lines lead to a small cell.
    const [middleX, middleY] = [x + cell[0] / 2, y + cell[1] / 2];
    const isSmall = cell[0] < width / 64 && cell[1] < height / 64;
    const guides = [
      `M${middleX},0V${y - cell[1]}`,
      `M${middleX},${y + 2 * cell[1]}V${height}`,
      `M0,${middleY}H${x - cell[0]}`,
      `M${x + 2 * cell[0]},${middleY}H${width}`,
    ];
    lines.setAttribute("d", isSmall ? guides.join("") : "");
    announce(status, `column ${column}, row ${row}`, isByReader);
  };
  const choose = (column: number, row: number, commits = true) => {
    const next = {
      column: Math.min(Math.max(Math.floor(column), 0), columns - 1),
      row: Math.min(Math.max(Math.floor(row), 0), rows - 1),
    };
    if (commits) committed = next;
    if (next.column === chosen.column && next.row === chosen.row) return;
    show(next, true);
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const chooseAt = ({ clientX, clientY }: MouseEvent, commits = true) => {
    const box = overlay.getBoundingClientRect();
    choose(
      (((clientX - box.left) / box.width) * width) / cell[0],
      (((clientY - box.top) / box.height) * height) / cell[1],
      commits,
    );
  };
  node.show = (next) => {
    imageBox.replaceChildren(next);
    return node;
  };
  node.draw = (...newShapes) => shapes.replaceChildren(...newShapes);
  show(chosen);
  const set = (next: GridCell) => {
    committed = next;
    show(next);
  };
  return Object.defineProperty(node, "value", { get: () => chosen, set });
}
