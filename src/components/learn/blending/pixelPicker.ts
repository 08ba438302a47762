import type { Image, Size } from "../../../engine/image/image.js";
import { tileOrigin } from "../../../engine/model/uv.js";
import { facts, figure } from "../../figures/figure.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { linkThings } from "../../figures/pointing.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { runInFrames } from "../../lab/runInFrames.js";
import type { Scene } from "../../lab/scene.js";
import { tileAt } from "../../lab/tileList.js";
import { element, svg } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import { findMostLayered, type Pixel, type PixelSearch, pixelSearches } from "./pixelSearches.js";
import type { PixelStack } from "./pixelStack.js";
import { colorText, swatch } from "./swatch.js";

/** An input for `view`, whose value is a pixel; undefined until it was shown a scene. */
export type PixelPicker = HTMLElement & {
  value: Pixel | undefined;
  /** Shows a scene, and the picture of its look; the first one it goes through for the pixel with most layers. */
  show(scene: Scene, render: Image): void;
};

/** The picture that blobs make beside the one that they learn; on either a reader picks a pixel. */
export function pixelPicker({ width, height }: Size): PixelPicker {
  let scene: Scene | undefined;
  // From the start, since a cell whose input never has a value is not computed again either.
  let value: Pixel = { x: width >> 1, y: height >> 1 };
  let isChosen = false;
  let pendingSearch: PixelSearch | undefined;
  const names = ["Render", "Target"];
  const grids = names.map((label) => gridPicker(element("canvas"), { width, height, label }));
  const goTo = async (search: PixelSearch, isAsked = true) => {
    if (!scene) return;
    pendingSearch = search;
    node.ariaBusy = "true";
    const found = await runInFrames(search(scene));
    // The reader may have chosen otherwise since.
    if (pendingSearch === search) setInputValue(node, found, isAsked);
  };
  const buttons = Object.entries(pixelSearches).map(([name, place]) =>
    element("button", { type: "button", onclick: () => goTo(place) }, name),
  );
  const node = figure(
    {
      title: "Pick a pixel",
      alt: "The render and the target, with a pixel and its tile marked in both.",
      note: "Point and click, or move with the arrow keys. The figures below show this pixel.",
    },
    element(
      "div",
      { class: "picked-pictures" },
      ...names.map((name, i) => element("div", {}, element("p", { class: "small-note" }, name), grids[i])),
    ),
    element("div", { class: "goto", role: "group", "aria-label": "Go to the pixel with the" }, "Go to: ", ...buttons),
  ) as unknown as PixelPicker;
  Object.defineProperty(node, "value", {
    get: () => value,
    set({ x, y }: Pixel) {
      value = { x, y };
      isChosen = true;
      pendingSearch = undefined;
      node.ariaBusy = "false";
      const { size, across } = scene!.inspection.tiles;
      const tile = tileAt(scene!, value);
      const box = { ...tileOrigin(tile, across, size), width: size[0], height: size[1] };
      for (const grid of grids) {
        grid.value = { column: x, row: y };
        grid.draw(linkThings(svg("rect", { class: "picked-tile", ...box }), `tile:${tile}`));
      }
    },
  });
  for (const grid of grids) {
    grid.addEventListener("input", (event) => {
      event.stopPropagation();
      if (scene) setInputValue(node, { x: grid.value.column, y: grid.value.row });
    });
  }
  node.show = (next, render) => {
    scene = next;
    for (const [i, image] of [render, scene.target].entries()) grids[i].show(imageCanvas(image));
    if (!isChosen) void goTo(findMostLayered, false);
  };
  return node;
}

/** What a pixel is, in numbers. */
export function pixelFacts({ scene: { inspection: snapshot }, list, x, y, target }: PixelStack): HTMLElement {
  const { data, width } = snapshot.render;
  const [red, green, blue, transmittance] = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4);
  const renderedColor = [red, green, blue];
  const description = `render ${colorText(renderedColor)}; target ${colorText(target)}`;
  const hiddenText = element("span", { class: "visually-hidden" }, description);
  return facts({
    step: count(snapshot.state.step),
    pixel: `${x}, ${y}`,
    tile: `${list.column}, ${list.row}`,
    "tile list": counted(list.length, "blob"),
    "transmittance T": numberText(transmittance, 4),
    "render | target": element("span", {}, swatch(renderedColor), " ", swatch(target), hiddenText),
  });
}
