import { parameterNames } from "../../../engine/model/blobs.js";
import { figure } from "../../figures/figure.js";
import { linkThings } from "../../figures/pointing.js";
import { tilePixels } from "../../figures/tilePixels.js";
import { element, tableOf } from "../../page/element.js";
import { chapters } from "../../page/pages.js";
import { stageThing } from "../flow/flowChart.js";
import type { StepWalk, WalkedPixel } from "./stepWalk.js";
import { memoryEntries, shownPixels, walkCode, walkStages } from "./walkStages.js";

const chapterNames = new Map(chapters);

/**
 * A stage of a step: what is in memory before and after it, and the pixels of the tile.
 * @param choose a pixel of the tile, where it is clicked on
 */
export function stepWalkFigure(walk: StepWalk, index: number, choose: (x: number, y: number) => void): HTMLElement {
  const stages = walkStages(walk);
  const { name, description: words, kernel, chapter, writes, shows } = stages[index];
  const rows = Object.entries(memoryEntries(walk)).map(([key, [label, storage, first]]) => {
    const before = stages
      .slice(0, index)
      .reduce((text, { writes }) => writes[key as keyof typeof writes] ?? text, first);
    const written = writes[key as keyof typeof writes];
    const cells = [storage, before, written ?? "unchanged"].map((text) => element("td", {}, text));
    const row = element("tr", { class: written && "written" }, element("th", { scope: "row" }, label), ...cells);
    const isOfParameter = ["slot", "part", "parameter", "first", "second"].includes(key);
    return isOfParameter ? linkThings(row, `parameter:${parameterNames[walk.field]}`) : row;
  });
  const [file, declared] = walkCode[name].wgsl.split("#");
  const thing = stageThing(file, declared);
  const memory = tableOf(["What", "Where", "Before", "After"], rows, { class: "walk-memory" });
  const link = chapter
    ? [". Chapter: ", element("a", { href: `./${chapter}` }, chapterNames.get(`learn/${chapter}`))]
    : [];
  return figure(
    {
      title: "One training step of this run",
      alt: "For the chosen stage of one training step a table of what is in memory before and after, and the pixels of one tile.",
      note: "Step through the stages, or choose one by its name. The rows with an arrow are what the stage writes. Click on a pixel of the tile to follow that.",
      isWide: true,
    },
    element("p", { class: "walk-words" }, linkThings(element("strong", {}, name), thing), `: ${words}`),
    element("div", { class: "walk-body" }, tileFigure(walk, shows, choose), memory),
    element("p", { class: "walk-words" }, "Kernel: ", element("code", {}, kernel), ...link, "."),
  );
}

/** The pixels of the tile, as colours, or as numbers by their strength. */
function tileFigure(
  { pixels, pixel, column, row }: StepWalk,
  shows: keyof typeof shownPixels,
  choose: (x: number, y: number) => void,
): HTMLElement {
  const [title, pixelValue]: [string, (pixel: WalkedPixel) => readonly number[] | number] = shownPixels[shows];
  const cells = pixels.map((walkedPixel) => {
    const { x, y } = walkedPixel;
    const value = pixelValue(walkedPixel);
    const numbers =
      typeof value === "number" ? value.toPrecision(3) : value.map((channel) => channel.toFixed(3)).join(", ");
    return {
      x,
      y,
      value,
      title: `(${x}, ${y}): ${numbers}`,
      thing: `pixel:${x},${y}`,
      isLooked: walkedPixel === pixel,
    };
  });
  const drawing = tilePixels(`${title}, of the tile in column ${column}, row ${row}`, cells);
  for (const [index, rect] of drawing.querySelectorAll(".tile-pixels rect").entries()) {
    rect.addEventListener("click", () => choose(cells[index].x, cells[index].y));
  }
  return element("figure", {}, element("figcaption", {}, title), drawing);
}
