import { evenlySpacedIndices } from "../engine/evenlySpaced.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { Image } from "../engine/image/image.js";
import type { Frame } from "./filmStrip.js";

/** All that a report shows of a run. */
export interface Report {
  name: string;
  description: RunDescription;
  rows: MetricsRow[];
  /** Which blobs the numbers below are of, ascending: all of them, or an even choice. */
  blobs: Uint32Array;
  /** Raw, field-major, of those blobs. */
  parameters: Float32Array;
  /** The last that were recorded: of the step that would come next. */
  gradients: { step: number; values: Float32Array };
  target: Image;
  render: Image;
  film: Frame[];
}

/** The same of a picture that was fitted by regions: no more than there is room for, however large it is. */
export interface RegionsReport extends Pick<Report, "name" | "description" | "rows"> {
  description: RunDescription & Required<Pick<RunDescription, "regions">>;
  /** What both look like, in small where they are large. */
  target: Image;
  render: Image;
}

/** Whether a report is of a picture that was fitted by regions. */
export function isByRegions(report: Report | RegionsReport): report is RegionsReport {
  return report.description.regions !== undefined;
}

/** Reads of any run what its page shows. */
export async function readAnyReport(run: RunRecord): Promise<Report | RegionsReport> {
  const { name, description } = run;
  const { regions } = description;
  if (!regions) return readReport(run);
  run.requireComplete();
  const [rows, target, render] = await Promise.all([
    run.metrics(),
    run.image(runFiles.target),
    run.image(runFiles.render),
  ]);
  return { name, description: { ...description, regions }, rows, target, render };
}

/** Reads a run whole. */
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
  if (!last) throw run.source.refusal(`${runFiles.gradients} holds no gradients.`);
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
