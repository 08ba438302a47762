import { html } from "htl";
import type { Image, Size } from "../../../engine/image/image.js";
import { facts, figure } from "../../figures/figure.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { colorText, swatch } from "../../figures/swatch.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { runInFrames } from "../../lab/runInFrames.js";
import type { Scene } from "../../lab/scene.js";
import { count, counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import type { PixelStack } from "../pixelStack.js";
import { findMostLayered, type Pixel, type PixelSearch, pixelSearches } from "./pixelSearches.js";

/** An input with a pixel as its value. */
export type PixelPicker = HTMLElement & {
  value: Pixel;
  /** Shows a scene and its render. In the first scene it selects the pixel with the most layers. */
  show(scene: Scene, render: Image): void;
};

/** Returns a figure of the render and the target, in which the reader picks a pixel. */
export function pixelPicker({ width, height }: Size): PixelPicker {
  let scene: Scene | undefined;
  // Set from the start: a cell never runs while its input has no value.
  let value: Pixel = { x: width >> 1, y: height >> 1 };
  let isChosen = false;
  let pendingSearch: PixelSearch | undefined;
  const names = ["Render", "Target"];
  const grids = names.map((label) => gridPicker(html`<canvas>`, { width, height, label }));
  const goTo = async (search: PixelSearch, isByReader = true) => {
    if (!scene) return;
    pendingSearch = search;
    node.ariaBusy = "true";
    const found = await runInFrames(search(scene));
    // The reader may have chosen another pixel since.
    if (pendingSearch === search) setInputValue(node, found, isByReader);
  };
  const buttons = Object.entries(pixelSearches).map(
    ([name, search]) => html`<button type="button" onclick=${() => goTo(search)}>${name}</button>`,
  );
  const node = figure(
    {
      title: "Pick a pixel",
      alt: "The render and the target, with a pixel marked in both.",
      note: "Click a pixel. The figures below show it.",
    },
    html`<div class="picked-images">
      ${names.map((name, i) => html`<div><p class="small-note">${name}</p>${grids[i]}</div>`)}
    </div>`,
    html`<div class="goto" role="group" aria-label="Go to the pixel with the">Go to: ${buttons}</div>`,
  ) as unknown as PixelPicker;
  Object.defineProperty(node, "value", {
    get: () => value,
    set({ x, y }: Pixel) {
      value = { x, y };
      isChosen = true;
      pendingSearch = undefined;
      node.ariaBusy = "false";
      for (const grid of grids) grid.value = { column: x, row: y };
    },
  });
  for (const grid of grids) {
    grid.oninput = (event) => {
      event.stopPropagation();
      if (scene) setInputValue(node, { x: grid.value.column, y: grid.value.row });
    };
  }
  node.show = (next, render) => {
    scene = next;
    for (const [i, image] of [render, scene.target].entries()) grids[i].show(imageCanvas(image));
    if (!isChosen) void goTo(findMostLayered, false);
  };
  return node;
}

/** Returns the position, the list and the colours of a pixel. */
export function pixelFacts({ scene: { inspection: snapshot }, list, x, y, target }: PixelStack): HTMLElement {
  const { data, width } = snapshot.render;
  const [red, green, blue, transmittance] = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4);
  const renderedColor = [red, green, blue];
  const description = `render ${colorText(renderedColor)}; target ${colorText(target)}`;
  const swatches = [swatch(renderedColor), " ", swatch(target)];
  return facts({
    step: count(snapshot.state.step),
    pixel: `${x}, ${y}`,
    list: counted(list.length, "blob"),
    "transmittance T": numberText(transmittance, 4),
    "render | target": html`<span>${swatches}<span class="visually-hidden">${description}</span></span>`,
  });
}
