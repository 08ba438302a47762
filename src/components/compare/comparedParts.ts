import * as Inputs from "observablehq:stdlib/inputs";
import type { Image } from "../../engine/image/image.js";
import { readArrow } from "../../host/browser/arrowReader.js";
import { standsFor, thingOf } from "../figures/pointed.js";
import { remembered } from "../inputs/remembered.js";
import { type Scrubber, scrubber } from "../inputs/scrubber.js";
import { element } from "../page/element.js";
import { count, counted, psnrText, trainingPsnrText } from "../page/format.js";
import { pictureFigure } from "../pictures/pictureFigure.js";
import type { WipeSide } from "../pictures/wipe.js";
import type { Pair } from "../runs/errorMaps.js";
import { tableColumns } from "../tables/blobColumns.js";
import { columnHelpOf, placeOf } from "../tables/columnHelp.js";
import { rowTable } from "../tables/rowTable.js";
import type { ComparedRun } from "./comparedRun.js";
import type { RunPictures } from "./comparison.js";
import type { TableKind } from "./runReaderWorker.js";

/** What stands in the place of a figure for which no chosen run has anything. */
export function nothing(): HTMLElement {
  return element("p", { class: "chart-waiting" }, "None of these runs has this data.");
}

/** The settings of runs, a row a field: its name, and what it is in the run at each place, from 1. */
export function settingRows(runs: readonly ComparedRun[]): ({ field: string } & Record<number, string>)[] {
  const names = Object.keys(runs[0]?.config ?? {}) as (keyof ComparedRun["config"])[];
  const rowOf = (field: string, values: string[]) => ({
    field,
    ...Object.fromEntries(values.map((value, i) => [i + 1, value])),
  });
  const pictures = runs.map(({ facts }) => facts.picture ?? "unknown");
  const fields = names.map((name) => [name, runs.map(({ config }) => text(config[name]))] as const);
  return [rowOf("image", pictures), ...fields.map(([name, texts]) => rowOf(name, texts))];
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.join(" × ");
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

/** A select among things with names; one that stood in its place before is taken over, or else the one at a place. */
export function choice<T extends { label: string }>(
  label: string,
  things: readonly T[],
  place = 0,
): HTMLElement & { value: T } {
  return remembered(label, (before?: T) => {
    const value = things.find((thing) => thing.label === before?.label) ?? things[place] ?? things[0];
    return Inputs.select<T>(things, { label, format: (thing: T) => thing.label, value });
  });
}

/** What the sides of a wipe can show: the renders by the names of their runs, then each target once. */
export function wipeSides(pictures: readonly RunPictures[]): WipeSide[] {
  const renders = pictures.map(({ run: { name, facts }, render }) => {
    return { label: name, alt: `Render of ${name}, ${psnrText(facts.psnr ?? Number.NaN)}`, image: render };
  });
  const targets = pictures.flatMap(({ run: { facts }, target }): [string, WipeSide][] => {
    const label = `target: ${facts.picture}`;
    return target ? [[label, { label, alt: `Target: ${facts.picture}`, image: target }]] : [];
  });
  return [...renders, ...new Map(targets).values()];
}

/** Says that two pictures are of different sizes, where they are. */
export function sizesNote(left: WipeSide, right: WipeSide): string {
  const [a, b] = [left, right].map(({ image: { width, height } }: { image: Image }) => `${width} × ${height}`);
  if (a === b) return "";
  return `The images have different sizes, ${a} and ${b} pixels. The right one is scaled to the left one.`;
}

/** Goes through the films of runs: a step that one of them has a picture of, or null at the end of each. */
export function filmScrubber(): Scrubber<number> {
  return scrubber<number>(
    "Displayed step",
    (step) => step,
    (step, isNewest) => (isNewest ? "last step" : `step ${count(step)}`),
  );
}

/** The steps of which the films of runs have pictures. */
export function filmStepsOf(pictures: readonly RunPictures[]): number[] {
  const steps = new Set(pictures.flatMap(({ film }) => film.map(({ step }) => step)));
  return [...steps].sort((a, b) => a - b);
}

/** What was measured of each run at a step, or at the last one before it; nothing at the end. */
export function rowsAt<Row extends { step: number }>(
  curves: readonly { points: readonly Row[] }[],
  step: number | null,
): (Row | undefined)[] {
  return step === null ? [] : curves.map(({ points }) => points.findLast((row) => row.step <= step));
}

/**
 * The blobs' pictures side by side, each at a step or at its film's last one before it.
 * @param step null for what came of the runs
 * @param rows what was measured there, by the places of the runs
 */
export function pictureGrid(
  pictures: readonly RunPictures[],
  step: number | null,
  rows: readonly ({ psnr: number } | undefined)[],
): HTMLElement {
  const figures = pictures.map(({ run: { name, facts }, place, render, film }) => {
    const figure = pictureFigure(name, "");
    const frame = step === null ? undefined : film.findLast((candidate) => candidate.step <= step);
    const isEnd = !frame || frame === film.at(-1);
    const row = rows[place - 1];
    const psnr = isEnd ? psnrText(facts.psnr ?? Number.NaN) : row ? `, ${trainingPsnrText(row.psnr)}` : "";
    figure.show(isEnd ? render : frame.image);
    const at = isEnd ? "" : `step ${count(frame.step)}`;
    figure.describe(isEnd ? psnr : `${at}${psnr}`, `Render of ${name}${at && ` at ${at}`}`);
    return standsFor(figure, thingOf("run", name));
  });
  return element("div", { class: "picture-grid" }, ...figures);
}

/** What maps of errors take: the pictures that have a target of their size. */
export function errorPairs(pictures: readonly RunPictures[]): Pair[] {
  return pictures.flatMap(({ run: { name, facts }, render, target }) => {
    if (render.data.length !== target?.data.length) return [];
    return [{ name, render, target, thing: thingOf("run", name), note: psnrText(facts.psnr ?? Number.NaN) }];
  });
}

const kinds: Record<TableKind, string> = {
  parameters: "parameters, one row per blob",
  gradients: "gradients, one row per step and blob",
  metrics: "metrics, one row per recorded step",
};

/** All tables of runs, as their Arrow files have them. */
export function tablesOf(runs: readonly ComparedRun[]) {
  return runs.flatMap(({ name, tables }) =>
    (Object.keys(kinds) as TableKind[]).flatMap((kind) => {
      const read = tables[kind];
      return read ? [{ label: `${name}: ${kinds[kind]}`, name, file: `${kind}.arrow`, read }] : [];
    }),
  );
}

/** The rows of a table: read and sorted in workers, so that millions of them do not hold the page up. */
export async function rowsOf({ name, file, read }: ReturnType<typeof tablesOf>[number]): Promise<HTMLElement> {
  const { rows, columns, metadata, fields } = await readArrow(await read(), `${name}/${file}`);
  const numbers = Object.entries(columns).filter(([, values]) => !Array.isArray(values));
  const shown = tableColumns(Object.fromEntries(numbers) as Record<string, Float32Array>, columnHelpOf(fields));
  const table = rowTable(name, "row");
  const place = placeOf(metadata);
  await table.show(shown, `${file}, ${counted(rows, "row")}${place && `. ${place}`}`);
  return table;
}
