import type { BenchResult, Measurement } from "../../../engine/bench/benchResult.js";
import type { ProgramName } from "../../../engine/bench/realtime/programs.js";
import type { RealtimeJob, RealtimeResult } from "../../../engine/bench/realtime/realtimeResult.js";
import { count, time } from "../../page/format.js";

// Two recordings measure the same job over different steps of training: that of this chapter, and that of docs/speed.md.

const listFormat = new Intl.ListFormat("en");

/** The programs of the recording for the chapter on real-time training that are pipelines of the benchmark. */
const programNames: Readonly<Record<string, ProgramName>> = { tiled: "tiles-undo", binned: "binned" };

/** Returns the number of steps before the rounds of a measurement, and at their end. */
function stepsOf({ steps, roundSteps }: Measurement): [number, number] {
  return [steps - roundSteps.reduce((sum, each) => sum + each, 0), steps];
}

/** Returns the times of the benchmark's job in the other recording, that of the chapter. */
export function chapterTimes({ jobs }: RealtimeResult, { config, measurements }: BenchResult): string {
  const job = jobs.find(({ blobs }) => blobs === config.blobs)!;
  const times = measurements.map(({ pipeline }) => `${time(medianOf(job, pipeline))} for ${pipeline}`);
  return `${listFormat.format(times)}, in rounds that all start after step ${count(job.startStep)}`;
}

/** Returns the times of the benchmark, and the steps over which they were measured. */
export function benchmarkTimes({ measurements }: BenchResult): string {
  const times = measurements.map((measurement) => {
    const [start, end] = stepsOf(measurement).map(count);
    return `${time(measurement.median)} for ${measurement.pipeline} over steps ${start} to ${end}`;
  });
  return times.join(", and ");
}

function medianOf({ times }: RealtimeJob, pipeline: string): number {
  return times.find(({ name }) => name === programNames[pipeline])!.median;
}
