import type { MetricsRow } from "../engine/files/arrow.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { Image } from "../engine/image/image.js";

/** A render after a number of steps. */
export interface Frame {
  step: number;
  image: Image;
}

/** The data of a run's report. */
export interface Report {
  name: string;
  description: RunDescription;
  rows: MetricsRow[];
  /** Raw parameters, field-major. */
  parameters: Float32Array;
  /** The last recorded gradients, of the step after the last. */
  gradients: { step: number; values: Float32Array };
  target: Image;
  render: Image;
  film: Frame[];
}

/**
 * Reads the data of a run's report.
 * @throws the run's refusal if it was fitted in regions, or if a file is missing or damaged
 */
export async function readReport(run: RunRecord): Promise<Report> {
  const { name, description } = run;
  if (description.regions) {
    throw run.source.refusal(
      `it was fitted in regions, which have no report; splatbook render ${name} shows its image.`,
    );
  }
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
    parameters,
    gradients: { step: last.step, values: last.gradients },
    target,
    render,
    film,
  };
}
