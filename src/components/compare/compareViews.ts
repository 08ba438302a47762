import { html } from "htl";
import type { Image } from "../../engine/image/image.js";
import { readArrow } from "../../host/browser/arrowReader.js";
import { linkThings, thingName } from "../figures/pointing.js";
import { imageFigure } from "../images/imageFigure.js";
import type { WipeSide } from "../images/imageWipe.js";
import { type Scrubber, scrubber } from "../inputs/scrubber.js";
import { count, counted, psnrText, trainingPsnrText } from "../page/format.js";
import type { ImagePair } from "../runs/errorMaps.js";
import { tableColumns } from "../tables/blobColumns.js";
import { columnHelpOf, stepNote } from "../tables/columnHelp.js";
import { rowTable } from "../tables/rowTable.js";
import type { ComparedRun, RunFacts } from "./comparedRun.js";
import type { RunCurve, RunImages } from "./comparison.js";
import type { TableKind } from "./runReaderWorker.js";

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

/** Returns an input for a step of the films; null is the last step of each run. */
export function filmScrubber(): Scrubber<number> {
  return scrubber<number>(
    "Displayed step",
    (step) => step,
    (step, isLatest) => (isLatest ? "last step" : `step ${count(step)}`),
  );
}

/** Returns the steps of all films, in ascending order. */
export function filmStepsOf(images: readonly RunImages[]): number[] {
  const steps = new Set(images.flatMap(({ film }) => film.map(({ step }) => step)));
  return [...steps].sort((a, b) => a - b);
}

/** Returns each run's row at a step, or the last one before it; none if the step is null. */
export function rowsAt<Row extends { step: number }>(
  curves: readonly { points: readonly Row[] }[],
  step: number | null,
): (Row | undefined)[] {
  return step === null ? [] : curves.map(({ points }) => points.findLast((row) => row.step <= step));
}

/**
 * Returns the renders of runs side by side, each at a step or at the last one of its film before it.
 * @param step null for the final renders
 */
export function imageGrid(images: readonly RunImages[], step: number | null, curves: readonly RunCurve[]): HTMLElement {
  const rows = rowsAt(curves, step);
  const figures = images.map(({ run, render, film }) => {
    const { name, facts } = run;
    const figure = imageFigure(name, "");
    const frame = step === null ? undefined : film.findLast((candidate) => candidate.step <= step);
    const isEnd = !frame || frame === film.at(-1);
    const row = rows[curves.findIndex((curve) => curve.run === run)];
    const psnr = isEnd ? psnrOf(facts) : row ? `, ${trainingPsnrText(row.psnr)}` : "";
    figure.show(isEnd ? render : frame.image);
    const at = isEnd ? "" : `step ${count(frame.step)}`;
    figure.describe(isEnd ? psnr : `${at}${psnr}`, `Render of ${name}${at && ` at ${at}`}`);
    return linkThings(figure, thingName("run", name));
  });
  return html`<div class="image-grid" role="group" aria-label="Renders">${figures}</div>`;
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

const kindLabels: Record<TableKind, string> = {
  parameters: "parameters, one row per blob",
  gradients: "gradients, one row per step and blob",
  metrics: "metrics, one row per recorded step",
};

/** Returns the Arrow tables of runs. */
export function tablesOf(runs: readonly ComparedRun[]) {
  return runs.flatMap(({ name, tables }) =>
    (Object.keys(kindLabels) as TableKind[]).flatMap((kind) => {
      const read = tables[kind];
      return read ? [{ label: `${name}: ${kindLabels[kind]}`, name, file: `${kind}.arrow`, read }] : [];
    }),
  );
}

/** Returns the rows of a table, read and sorted in workers, since there may be millions. */
export async function dataTable({ name, file, read }: ReturnType<typeof tablesOf>[number]): Promise<HTMLElement> {
  const { rows, columns, metadata, fields } = await readArrow(await read(), `${name}/${file}`);
  const numbers = Object.entries(columns).filter(([, values]) => !Array.isArray(values));
  const shown = tableColumns(Object.fromEntries(numbers) as Record<string, Float32Array>, columnHelpOf(fields));
  const position = stepNote(metadata);
  const note = `${file}, ${counted(rows, "row")}${position && `. ${position}`}`;
  return rowTable(name, "row", [{ columns: shown, note }]);
}
