import type { SweptRow } from "../engine/files/sweepFile.js";
import { bestRow, rankedRows } from "../engine/sweep/ranking.js";
import { missingRuns, type PlannedRun, plannedRuns, valuesText } from "../engine/sweep/sweep.js";
import { suggestBlobCount } from "../engine/training/blobCount.js";
import type { SweepJob } from "../runs/sweepJob.js";
import { sweepTable } from "../runs/sweepTable.js";
import { usageFailure } from "../terminal/failure.js";
import { psnrText } from "../terminal/formatCount.js";
import { interruptible, stoppedExitCode } from "../terminal/interrupt.js";
import { printLines } from "../terminal/streams.js";
import { farmOf } from "./farmOptions.js";
import { type SweepOptions, sweepJobOf } from "./sweepOptions.js";

export async function sweep(path: string | undefined, options: SweepOptions): Promise<void> {
  const farm = farmOf(options) ?? { workers: 1 };
  const job = await sweepJobOf(path, options);
  const plan = plannedRuns(job.sweep, { blobs: suggestBlobCount(job.image) });
  const refused = plan.find(({ refusal }) => refusal !== undefined);
  if (refused && plan.every(({ config }) => config === undefined)) {
    throw usageFailure(`No run of this sweep can be trained: ${refused.refusal}`);
  }
  using interrupt = interruptible();
  // Arrow takes half a second to load. A mistyped flag is reported before that.
  const { farmSweep } = await import("../farm/farmSweep.js");
  const rows = await farmSweep(job, plan, farm, options.quiet, interrupt.signal);
  // A Ctrl-C at the end of the last run stops nothing.
  const rowOf = new Map(rows.map((row) => [row.values.join(), row]));
  const allRows = plan.map(({ values }) => rowOf.get(values.join()));
  const isMissing = missingRuns(plan, allRows).length > 0;
  printResult(job, plan, rows, options, interrupt.signal.aborted && isMissing ? interrupt.signal : undefined);
}

function printResult(
  job: SweepJob,
  plan: PlannedRun[],
  rows: SweptRow[],
  options: SweepOptions,
  stoppedBy: AbortSignal | undefined,
): void {
  const { out, sweep, imageName } = job;
  const withStatus = (status: SweptRow["status"]) => rows.filter((row) => row.status === status);
  const [done, failed, refused] = [withStatus("done"), withStatus("failed"), withStatus("refused")];
  const best = bestRow(rows);
  if (options.json) {
    const metadata = {
      out,
      ...(stoppedBy && { stopped: true }),
      image: imageName,
      config: sweep.config,
      vary: sweep.vary,
    };
    process.stdout.write(`${JSON.stringify({ ...metadata, runs: rows }, null, 2)}\n`);
  } else if (!options.quiet && best) {
    const others = refused.length > 0 ? `, ${refused.length} refused` : "";
    const bestText = `the best has PSNR ${psnrText(best.psnr)} with ${valuesText(sweep, best.values)}`;
    const line = `${done.length} of ${plan.length} runs${others}; ${bestText}`;
    if (rankedRows(rows).length > 1) process.stdout.write(`${sweepTable(sweep, rows)}\n\n`);
    printLines(`${out}: ${line}`);
  }
  if (stoppedBy) {
    process.exitCode = stoppedExitCode(stoppedBy);
    const stopped = `Stopped with ${done.length} of ${plan.length} runs done`;
    printLines(`${stopped}. Resume with: splatbook sweep --resume ${out}`, "stderr");
  } else if (failed.length > 0) {
    process.exitCode = 1;
    printLines(`${failed.length} of ${plan.length} runs failed. The reasons are in ${out}/sweep.arrow.`, "stderr");
  }
}
