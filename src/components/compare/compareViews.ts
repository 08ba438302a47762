import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import type { Image } from "../../engine/image/image.js";
import { thingName } from "../figures/pointing.js";
import type { WipeSide } from "../images/imageWipe.js";
import { rememberedInput } from "../inputs/rememberedInput.js";
import { psnrText } from "../page/format.js";
import type { ImagePair } from "../runs/errorMaps.js";
import type { LineStyle } from "../runs/runStyle.js";
import { table } from "../tables/table.js";
import type { ComparedRun, RunFacts } from "./comparedRun.js";
import type { RunImages } from "./comparison.js";
import { runLabel, runSpan } from "./runMarks.js";
import { rowOf, valueText } from "./runRow.js";

/** Returns a note for a figure without data. */
export function emptyFigure(): HTMLElement {
  return html`<p class="empty-chart">None of these runs has this data.</p>`;
}

/** Returns the images that the sides of a wipe can show: the render of each run, then each target once. */
export function wipeSides(images: readonly RunImages[]): WipeSide[] {
  const renders = images.map(({ run: { name, facts }, render }) => {
    return { label: name, alt: `Render of ${name}, ${psnrOf(facts)}`, image: render };
  });
  const targets = images.flatMap(({ run: { facts }, target }): [string, WipeSide][] => {
    const label = `target: ${facts.image}`;
    return target ? [[label, { label, alt: `Target: ${facts.image}`, image: target }]] : [];
  });
  return [...renders, ...new Map(targets).values()];
}

/** Returns a note if two images have different sizes. */
export function sizesNote(left: WipeSide, right: WipeSide): string {
  const [a, b] = [left, right].map(({ image: { width, height } }: { image: Image }) => `${width} × ${height}`);
  if (a === b) return "";
  return `The images have different sizes, ${a} and ${b} pixels. The right one is scaled to the left one.`;
}

/** Returns the renders with a target of their size, for error maps. */
export function errorPairs(images: readonly RunImages[]): ImagePair[] {
  return images.flatMap(({ run: { name, facts }, render, target }) => {
    if (render.data.length !== target?.data.length) return [];
    return [{ name, render, target, thing: thingName("run", name), note: psnrOf(facts) }];
  });
}

function psnrOf({ psnr = Number.NaN }: RunFacts): string {
  return psnrText(psnr);
}

/**
 * Returns a select of names or labelled items. It keeps the choice of an earlier one with the same label, or else has
 * `position`.
 */
export function namedSelect<T extends string | { label: string }>(
  label: string,
  items: readonly T[],
  position = 0,
): Inputs.Input<T> {
  return rememberedInput(label, (before?: T) => {
    const format = (item?: T) => (typeof item === "object" ? item.label : item);
    const value = items.find((item) => format(item) === format(before)) ?? items[position] ?? items[0];
    return Inputs.select<T>(items, { label, format, value });
  });
}

/** Returns a table of the settings in which runs differ, with a column per run. */
export function differencesTable(
  runs: readonly ComparedRun[],
  styles: readonly LineStyle[],
  names: readonly string[],
): HTMLElement {
  const positions = runs.map((_, i) => String(i + 1));
  const byPosition = <T>(make: (run: ComparedRun, i: number) => T) =>
    Object.fromEntries(positions.map((position, i) => [position, make(runs[i], i)]));
  const rows = names.map((field) => ({ field, ...byPosition((run) => valueText(field, rowOf(run)[field])) }));
  const form = table(rows, {
    columns: ["field", ...positions],
    header: byPosition((run, i) => runLabel(styles[i], run.name)),
    format: byPosition((run) => (text: string) => runSpan(run.name, text)),
    select: false,
    layout: "auto",
    rows: 40,
  });
  return html`<div class="config-differences" role="group" aria-label="Settings that differ">${form}</div>`;
}
