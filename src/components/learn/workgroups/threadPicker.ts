import { html } from "htl";
import type { Size } from "../../../engine/image/image.js";
import { cellOfTile, tileAtCell, tileGrid, tileOrigin } from "../../../engine/model/uv.js";
import { linkThings } from "../../figures/pointing.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { group, indices, label, rect } from "../../figures/shapes.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { threadPlace, threadsOf } from "./threadPlaces.js";

/** Returns an input for `view` with a thread of a dispatch as its value: by a slider, or by its tile and its place there. */
export function threadPicker(render: Size, tile: [number, number], value: number): HTMLElement & { value: number } {
  const [columns, rows] = tile;
  const threads = columns * rows;
  const { across, down, count } = tileGrid(render, tile);
  const slider = html`<input type="range" min="0" max=${count * threads - 1} step="1">` as HTMLInputElement;
  const unit = 10;
  const map = gridPicker(html`<div>`, {
    width: unit * across * columns,
    height: unit * down * rows,
    cell: [unit * columns, unit * rows],
    label: "Tiles of the image; the threads of the chosen one’s workgroup are next to it",
  });
  // Larger workgroups have room only for the local indices.
  const hasPixels = columns <= 8 && rows <= 8;
  const side = hasPixels ? 56 : 32;
  const grid = gridPicker(html`<div>`, {
    width: side * columns,
    height: side * rows,
    cell: [side, side],
    label: "Threads of the chosen tile; each works on its own pixel",
    hovers: true,
  });
  map.classList.add("place-map");
  grid.classList.add("place-threads");
  grid.style.minWidth = `${0.87 * side * columns}px`;
  grid.style.maxWidth = `${1.15 * side * columns}px`;

  const positionOf = (thread: number) => threadPlace(thread, render, tile);
  const tiles = indices(count).flatMap((tileIndex) => {
    const { x, y } = positionOf(tileIndex * threads).origin;
    const cell = rect("place-tile", unit * x, unit * y, unit * columns, unit * rows);
    const name = label("place-number quiet", unit * (x + columns / 2), unit * (y + rows / 2), tileIndex);
    return [linkThings(cell, `tile:${tileIndex}`), name];
  });
  const imageRect = rect("place-picture", 0, 0, unit * render.width, unit * render.height);
  let drawnTile: number | undefined;
  const show = (thread: number) => {
    const chosen = positionOf(thread);
    slider.value = String(thread);
    slider.ariaValueText = `thread ${thread}: workgroup ${chosen.tile}, local index ${chosen.localIndex}`;
    map.value = cellOfTile({ across }, chosen.tile);
    grid.value = cellOfTile({ across: columns }, chosen.localIndex);
    const positions = threadsOf(chosen.tile, tile, render);
    const linkThread = (node: SVGElement, { localIndex, pixel }: typeof chosen) =>
      linkThings(node, `thread:${localIndex}`, `pixel:${pixel.x},${pixel.y}`);
    const spots = positions.map((position) => {
      const name = `spot${position.inside ? "" : " outside"}${position.thread === thread ? " chosen" : ""}`;
      const { x, y } = position.pixel;
      return linkThread(rect(name, unit * x + 1, unit * y + 1, unit - 2, unit - 2), position);
    });
    map.draw(imageRect, ...tiles, ...spots);
    if (chosen.tile === drawnTile) return;
    drawnTile = chosen.tile;
    const cells = positions.map((place) => {
      const { localIndex, pixel, inside } = place;
      const { x, y } = tileOrigin(localIndex, columns, [side, side]);
      return group(
        inside ? "thread" : "thread outside",
        linkThread(rect("", x, y, side, side), place),
        label("thread-index", x + side / 2, y + (hasPixels ? 25 : 21), localIndex),
        label("quiet", x + side / 2, y + 43, hasPixels ? `${pixel.x}, ${pixel.y}` : ""),
      );
    });
    grid.draw(...cells);
  };
  slider.oninput = () => show(Number(slider.value));
  map.oninput = grid.oninput = () =>
    show(tileAtCell({ across }, map.value) * threads + tileAtCell({ across: columns }, grid.value));
  show(Math.min(value, count * threads - 1));
  const node = html`<div><label class="place-slider">Thread of the dispatch${slider}</label>
    <div class="learn-columns">${map}${scrollBox("The workgroup’s threads", grid)}</div></div>`;
  return Object.defineProperty(node, "value", { get: () => Number(slider.value) }) as HTMLElement & { value: number };
}
