import type { Image, Size } from "../../../engine/image/image.js";
import { tileOrigin } from "../../../engine/model/uv.js";
import { canvasOf } from "../../figures/canvasOf.js";
import { facts, figure } from "../../figures/figure.js";
import { standsFor } from "../../figures/pointed.js";
import { choose } from "../../inputs/choose.js";
import { gridPicker } from "../../inputs/gridPicker.js";
import { inFrames } from "../../lab/inFrames.js";
import type { Scene } from "../../lab/scene.js";
import { tileAt } from "../../lab/tileList.js";
import { element, svg } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import type { PixelStack } from "./pixelStack.js";
import { mostLayered, type Pixel, type Place, places } from "./places.js";
import { colorText, swatch } from "./swatch.js";

/** An input for `view`, whose value is a pixel; undefined until it was shown a scene. */
export type PixelPicker = HTMLElement & {
  value: Pixel | undefined;
  /** Shows a scene, and the picture of its look; the first one it goes through for the pixel with most layers. */
  show(scene: Scene, picture: Image): void;
};

/** The picture that blobs make beside the one that they learn; on either a reader picks a pixel. */
export function pixelPicker({ width, height }: Size): PixelPicker {
  let scene: Scene | undefined;
  // From the start, since a cell whose input never has a value is not computed again either.
  let value: Pixel = { x: width >> 1, y: height >> 1 };
  let isChosen = false;
  let wanted: Place | undefined;
  const names = ["Render", "Target"];
  const grids = names.map((label) => gridPicker(element("canvas"), { width, height, label }));
  const goTo = async (place: Place, isAsked = true) => {
    if (!scene) return;
    wanted = place;
    node.ariaBusy = "true";
    const found = await inFrames(place(scene));
    // The reader may have chosen otherwise since.
    if (wanted === place) choose(node, found, isAsked);
  };
  const buttons = Object.entries(places).map(([name, place]) =>
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
      wanted = undefined;
      node.ariaBusy = "false";
      const { size, across } = scene!.look.tiles;
      const tile = tileAt(scene!, value);
      const box = { ...tileOrigin(tile, across, size), width: size[0], height: size[1] };
      for (const grid of grids) {
        grid.value = { column: x, row: y };
        grid.draw(standsFor(svg("rect", { class: "picked-tile", ...box }), `tile:${tile}`));
      }
    },
  });
  for (const grid of grids) {
    grid.addEventListener("input", (event) => {
      event.stopPropagation();
      if (scene) choose(node, { x: grid.value.column, y: grid.value.row });
    });
  }
  node.show = (next, picture) => {
    scene = next;
    for (const [i, image] of [picture, scene.target].entries()) grids[i].show(canvasOf(image));
    if (!isChosen) void goTo(mostLayered, false);
  };
  return node;
}

/** What a pixel is, in numbers. */
export function pixelFacts({ scene: { look }, list, x, y, target }: PixelStack): HTMLElement {
  const { data, width } = look.picture;
  const [red, green, blue, transmittance] = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4);
  const made = [red, green, blue];
  const words = `render ${colorText(made)}; target ${colorText(target)}`;
  const told = element("span", { class: "visually-hidden" }, words);
  return facts({
    step: count(look.state.step),
    pixel: `${x}, ${y}`,
    tile: `${list.column}, ${list.row}`,
    "tile list": counted(list.length, "blob"),
    "transmittance T": numberText(transmittance, 4),
    "render | target": element("span", {}, swatch(made), " ", swatch(target), told),
  });
}
