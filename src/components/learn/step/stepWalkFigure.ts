import { html } from "htl";
import { parameterNames } from "../../../engine/model/blobs.js";
import { figure } from "../../figures/figure.js";
import { linkThings } from "../../figures/pointing.js";
import { tilePixels } from "../../figures/tilePixels.js";
import { tableOf } from "../../page/element.js";
import { chapters } from "../../page/pages.js";
import { stageThing } from "../flow/flowChart.js";
import type { StepWalk, WalkedPixel } from "./stepWalk.js";
import { type MemoryKey, memoryEntries, shownPixels, walkCode, walkStages } from "./walkStages.js";

const chapterNames = new Map(chapters);
const parameterKeys = ["slot", "contribution", "parameter", "first", "second"];

/**
 * Returns a stage of a step: the memory before and after it, and the pixels of the tile.
 * @param choose called with the pixel that is clicked
 */
export function stepWalkFigure(walk: StepWalk, index: number, choose: (x: number, y: number) => void): HTMLElement {
  const stages = walkStages(walk);
  const { kernel = "computeDerivatives", chapter, writes, shows } = stages[index];
  const rows = Object.entries(memoryEntries(walk)).map(([key, [label, storage, first]]) => {
    const writtenBy = (stage: (typeof stages)[number]) => stage.writes[key as MemoryKey];
    const valueBefore = stages.map((_, k) => {
      const before = stages.slice(0, k).findLast(writtenBy);
      return before ? writtenBy(before)! : first;
    });
    const valueAfter = stages.map((stage) => writtenBy(stage) ?? "unchanged");
    const row = html`<tr class=${key in writes ? "written" : null}><th scope="row">${label}</th>
      <td>${storage}</td><td>${stack(valueBefore, index)}</td><td>${stack(valueAfter, index)}</td></tr>`;
    return parameterKeys.includes(key) ? linkThings(row, `parameter:${parameterNames[walk.field]}`) : row;
  });
  const descriptions = stages.map(({ name, description }) => {
    const [file, declared] = walkCode[name].wgsl.split("#");
    const title = linkThings(html`<strong>${name}</strong>`, stageThing(file, declared));
    return html`<p class="walk-words">${title}: ${description}</p>`;
  });
  const memory = tableOf(["What", "Where", "Before", "After"], rows, { class: "walk-memory" });
  const link =
    chapter && html`<span>. Chapter: <a href="./${chapter}.html">${chapterNames.get(`learn/${chapter}`)}</a></span>`;
  return figure(
    {
      title: "One training step of this run",
      alt: "For the chosen stage of one training step a table of what is in memory before and after, and the pixels of one tile.",
      note: "Step through the stages, or choose one by its name. The rows with an arrow are what the stage writes. Click a pixel of the tile to follow it.",
      isWide: true,
    },
    stack(descriptions, index),
    html`<div class="learn-columns" style="--first: 15rem">${tileFigure(walk, shows, choose)}${memory}</div>`,
    html`<p class="walk-words">Kernel: <code>${kernel}</code>${link}.</p>`,
  );
}

/** Returns one of some texts, with the height of the highest: nothing moves when another one is shown. */
function stack(texts: readonly (string | HTMLElement)[], index: number): HTMLElement {
  const layers = texts.map((text, k) => html`<div class=${k === index ? null : "is-hidden"}>${text}</div>`);
  return html`<div class="walk-stack">${layers}</div>`;
}

/** Returns the pixels of the tile, by their colours or by the size of a number. */
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
    const title = `(${x}, ${y}): ${numbers}`;
    return { x, y, value, title, thing: `pixel:${x},${y}`, isLooked: walkedPixel === pixel };
  });
  const drawing = tilePixels(`${title}, of the tile in column ${column}, row ${row}`, cells);
  for (const [index, rect] of drawing.querySelectorAll<SVGElement>(".tile-pixels rect").entries())
    rect.onclick = () => choose(cells[index].x, cells[index].y);
  return html`<figure><figcaption>${title}</figcaption>${drawing}</figure>`;
}
