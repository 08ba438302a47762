import { parameterNames } from "../../../engine/model/blobs.js";
import { figure } from "../../figures/figure.js";
import { standsFor } from "../../figures/pointed.js";
import { tilePixels } from "../../figures/tilePixels.js";
import { element, tableOf } from "../../page/element.js";
import { chapters } from "../../page/pages.js";
import { stageThing } from "../flow/flowChart.js";
import type { StepWalk, WalkedPixel } from "./stepWalk.js";
import { placesOf, shownPixels, walkCode, walkStages } from "./walkStages.js";

const chapterNames = new Map(chapters);

/**
 * A stage of a step: what is in memory before and after it, and the pixels of the tile.
 * @param choose a pixel of the tile, where it is clicked on
 */
export function stepWalkFigure(walk: StepWalk, index: number, choose: (x: number, y: number) => void): HTMLElement {
  const stages = walkStages(walk);
  const { name, words, kernel, chapter, writes, shows } = stages[index];
  const rows = Object.entries(placesOf(walk)).map(([key, [what, where, first]]) => {
    const before = stages
      .slice(0, index)
      .reduce((text, { writes }) => writes[key as keyof typeof writes] ?? text, first);
    const written = writes[key as keyof typeof writes];
    const cells = [where, before, written ?? "unchanged"].map((text) => element("td", {}, text));
    const row = element("tr", { class: written && "written" }, element("th", { scope: "row" }, what), ...cells);
    const isOfParameter = ["slot", "part", "parameter", "first", "second"].includes(key);
    return isOfParameter ? standsFor(row, `parameter:${parameterNames[walk.field]}`) : row;
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
    element("p", { class: "walk-words" }, standsFor(element("strong", {}, name), thing), `: ${words}`),
    element("div", { class: "walk-body" }, tilePicture(walk, shows, choose), memory),
    element("p", { class: "walk-words" }, "Kernel: ", element("code", {}, kernel), ...link, "."),
  );
}

/** The pixels of the tile, as colours, or as numbers by their strength. */
function tilePicture(
  { pixels, pixel, column, row }: StepWalk,
  shows: keyof typeof shownPixels,
  choose: (x: number, y: number) => void,
): HTMLElement {
  const [title, of]: [string, (pixel: WalkedPixel) => readonly number[] | number] = shownPixels[shows];
  const cells = pixels.map((each) => {
    const { x, y } = each;
    const value = of(each);
    const numbers = typeof value === "number" ? value.toPrecision(3) : value.map((one) => one.toFixed(3)).join(", ");
    return { x, y, value, title: `(${x}, ${y}): ${numbers}`, thing: `pixel:${x},${y}`, isLooked: each === pixel };
  });
  const drawing = tilePixels(`${title}, of the tile in column ${column}, row ${row}`, cells);
  for (const [at, rect] of drawing.querySelectorAll(".tile-pixels rect").entries()) {
    rect.addEventListener("click", () => choose(cells[at].x, cells[at].y));
  }
  return element("figure", {}, element("figcaption", {}, title), drawing);
}
