import { evenlySpacedIndices } from "../engine/evenlySpaced.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { Image } from "../engine/image/image.js";
import type { Frame } from "./filmStrip.js";

/** The data of a run's report. */
export interface Report {
  name: string;
  description: RunDescription;
  rows: MetricsRow[];
  /** Indices of the blobs below, ascending: all blobs, or an even sample. */
  blobs: Uint32Array;
  /** Raw parameters of those blobs, field-major. */
  parameters: Float32Array;
  /** The last recorded gradients, of the step after the last. */
  gradients: { step: number; values: Float32Array };
  target: Image;
  render: Image;
  film: Frame[];
}

/** The data of a report in regions. It does not grow with the size of the image. */
export interface RegionsReport extends Pick<Report, "name" | "description" | "rows"> {
  description: RunDescription & Required<Pick<RunDescription, "regions">>;
  /** Reduced if the images are large. */
  target: Image;
  render: Image;
}

/** Returns whether a report is that of a run in regions. */
export function isByRegions(report: Report | RegionsReport): report is RegionsReport {
  return report.description.regions !== undefined;
}

/**
 * Reads the data of a run's report.
 * @param allowsPart whether the report may cover the regions that are done so far
 */
export async function readAnyReport(run: RunRecord, allowsPart = false): Promise<Report | RegionsReport> {
  const { name, description } = run;
  const { regions } = description;
  if (!regions) return readReport(run);
  if (!allowsPart) run.requireComplete();
  const [rows, target, render] = await Promise.all([
    run.metrics(),
    run.image(runFiles.target),
    run.image(runFiles.render),
  ]);
  return { name, description: { ...description, regions }, rows, target, render };
}

async function readReport(run: RunRecord): Promise<Report> {
  const { name, description } = run;
  const [{ parameters }, records, rows, target, render, film] = await Promise.all([
    run.parameters(),
    run.gradients(),
    run.metrics(),
    run.target(),
    run.image(runFiles.render),
    Promise.all(run.film.map(async (step) => ({ step, image: await run.frame(step) }))),
  ]);
  const last = records.at(-1);
  if (!last) throw run.source.refusal(`${runFiles.gradients} has no rows.`);
  return {
    name,
    description,
    rows,
    blobs: evenlySpacedIndices(description.config.blobs, description.config.blobs),
    parameters,
    gradients: { step: last.step, values: last.gradients },
    target,
    render,
    film,
  };
}
