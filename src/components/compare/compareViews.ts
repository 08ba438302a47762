import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { type FieldName, fieldNames, formatField } from "../../engine/fields.js";
import type { Image } from "../../engine/image/image.js";
import type { WipeSide } from "../images/imageWipe.js";
import { rememberedInput } from "../inputs/rememberedInput.js";
import { psnrText } from "../page/format.js";
import type { ImagePair } from "../runs/errorMaps.js";
import { lineSwatch, runStyle } from "../runs/runStyle.js";
import type { ComparedRun } from "./comparedRun.js";
import type { RunImages } from "./comparison.js";

/** Returns the images that the sides of a wipe can show: the render of each run, then each target once. */
export function wipeSides(images: readonly RunImages[]): WipeSide[] {
  const renders = images.map(({ run: { name, facts }, render }) => {
    return { label: name, alt: `Render of ${name}, ${psnrText(facts.psnr)}`, image: render };
  });
  const targets = images.map(({ run: { facts }, target }): [string, WipeSide] => {
    const label = `target: ${facts.image}`;
    return [label, { label, alt: `Target: ${facts.image}`, image: target }];
  });
  return [...renders, ...new Map(targets).values()];
}

/** Returns a note if two images have different sizes. */
export function sizesNote(left: WipeSide, right: WipeSide): string {
  const [a, b] = [left, right].map(({ image: { width, height } }: { image: Image }) => `${width} × ${height}`);
  if (a === b) return "";
  return `The images have different sizes, ${a} and ${b} pixels. The right one is scaled to the left one.`;
}

/** Returns the renders with targets of their size, for error maps. */
export function errorPairs(images: readonly RunImages[]): ImagePair[] {
  return images
    .filter(({ render, target }) => render.data.length === target.data.length)
    .map(({ run: { name, facts }, render, target }) => ({ name, render, target, note: psnrText(facts.psnr) }));
}

/** Returns a select of a wipe's sides. It keeps the choice of an earlier one with the same label, or else has `position`. */
export function sideSelect(label: string, sides: readonly WipeSide[], position: number): Inputs.Input<WipeSide> {
  return rememberedInput(label, (before?: WipeSide) => {
    const value = sides.find((side) => side.label === before?.label) ?? sides[position] ?? sides[0];
    return Inputs.select<WipeSide>(sides, { label, format: (side?: WipeSide) => side?.label, value });
  });
}

/** Returns a table of the settings in which runs differ, the image among them, with a column per run. */
export function differencesTable(runs: readonly ComparedRun[]): HTMLElement {
  const textOf = ({ facts, config }: ComparedRun, field: string) => {
    if (field === "image") return facts.image;
    const value = formatField(config[field as FieldName]);
    return String(typeof value === "number" ? Number(value.toPrecision(6)) : value);
  };
  const fields = ["image", ...fieldNames].filter((field) => new Set(runs.map((run) => textOf(run, field))).size > 1);
  if (runs.length < 2) return html`<p>Select a second run to see which settings differ.</p>`;
  if (fields.length === 0) return html`<p>The runs have the same settings.</p>`;
  const byPosition = <T>(make: (run: ComparedRun, i: number) => T) =>
    Object.fromEntries(runs.map((run, i) => [`${i}`, make(run, i)]));
  const table = Inputs.table(
    fields.map((field) => ({ field, ...byPosition((run) => textOf(run, field)) })),
    {
      columns: ["field", ...Object.keys(runs)],
      header: byPosition((run, i) => html`<span>${lineSwatch(runStyle(i))} ${run.name}</span>`),
      select: false,
      layout: "auto",
      rows: 40,
    },
  );
  // It scrolls sideways.
  table.tabIndex = 0;
  return html`<div class="config-differences" role="group" aria-label="Settings that differ">${table}</div>`;
}
