import type { Size } from "../../../engine/image/image.js";
import { tileGrid } from "../../../engine/model/uv.js";
import { linkThings } from "../../figures/pointing.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { group, indices, label, rect } from "../../figures/shapes.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { element } from "../../page/element.js";
import { threadPlace, threadsOf } from "./threadPlaces.js";

/**
 * An input for `view`, whose value is a thread of a dispatch over a picture: by a slider through all of them, or by its
 * tile and by itself.
 */
export function threadPicker(render: Size, tile: [number, number], value: number): HTMLElement & { value: number } {
  const [columns, rows] = tile;
  const threads = columns * rows;
  const { across, down, count } = tileGrid(render, tile);
  const slider = element("input", { type: "range", min: 0, max: count * threads - 1, step: 1 });
  const unit = 10;
  const map = gridPicker(element("div"), {
    width: unit * across * columns,
    height: unit * down * rows,
    cell: [unit * columns, unit * rows],
    label: "Tiles of the image; the threads of the chosen one’s workgroup are next to it",
  });
  // Of more threads there is room for their numbers alone.
  const hasLabels = columns <= 8 && rows <= 8;
  const side = hasLabels ? 56 : 32;
  const grid = gridPicker(element("div"), {
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
  const node = element(
    "div",
    {},
    element("label", { class: "place-slider" }, "Thread of the dispatch", slider),
    element("div", { class: "place-columns" }, map, scrollBox("The workgroup’s threads", grid)),
  );

  const positionOf = (thread: number) => threadPlace(thread, render, tile);
  const tiles = indices(count).flatMap((tileIndex) => {
    const { x, y } = positionOf(tileIndex * threads).origin;
    const cell = rect("place-tile", unit * x, unit * y, unit * columns, unit * rows);
    const name = label("place-number", unit * (x + columns / 2), unit * (y + rows / 2), tileIndex);
    return [linkThings(cell, `tile:${tileIndex}`), name];
  });
  const imageRect = rect("place-picture", 0, 0, unit * render.width, unit * render.height);
  let drawnTile: number | undefined;
  const show = (thread: number) => {
    const chosen = positionOf(thread);
    slider.value = String(thread);
    slider.ariaValueText = `thread ${thread}: workgroup ${chosen.tile}, local index ${chosen.localIndex}`;
    map.value = { column: chosen.tile % across, row: Math.floor(chosen.tile / across) };
    grid.value = { column: chosen.localIndex % columns, row: Math.floor(chosen.localIndex / columns) };
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
      const [x, y] = [side * (localIndex % columns), side * Math.floor(localIndex / columns)];
      return group(
        inside ? "thread" : "thread outside",
        linkThread(rect("", x, y, side, side), place),
        label("thread-index", x + side / 2, y + (hasLabels ? 25 : 21), localIndex),
        label("thread-pixel", x + side / 2, y + 43, hasLabels ? `${pixel.x}, ${pixel.y}` : ""),
      );
    });
    grid.draw(...cells);
  };
  // What its parts tell comes by here before who observes this element hears of it.
  node.addEventListener("input", ({ target }) => {
    const chosenTile = map.value.row * across + map.value.column;
    const localIndex = grid.value.row * columns + grid.value.column;
    show(target === slider ? Number(slider.value) : chosenTile * threads + localIndex);
  });
  show(Math.min(value, count * threads - 1));
  return Object.defineProperty(node, "value", { get: () => Number(slider.value) }) as typeof node & { value: number };
}
