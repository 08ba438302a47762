import type { BrowserEngine } from "../../host/browser.js";
import { counted, decibels } from "../format.js";
import type { SweepCell, Sweeper } from "./sweeper.js";
import { valueText } from "./sweepFields.js";

/** What trains here, in sentences. */
export function engineSentence({ kind, description, because }: BrowserEngine): string {
  if (kind === "gpu") return `The runs train on your GPU: ${description}.`;
  const why = kind === "cpu" ? because : `The only adapter here is a CPU that plays a GPU (${description}).`;
  return `${why} The runs train on the CPU engine, and are small unless the address says otherwise.`;
}

/** What the plan comes to, in sentences. */
export function planSentence({ cells, sweep, missing }: Sweeper): string {
  if (!sweep) return "";
  const sizes = sweep.vary.map(({ values }) => values.length).join(" × ");
  const refused = cells.filter(({ result }) => result?.status === "refused");
  const parts = [`${counted(cells.length, "run")}${sweep.vary.length > 1 ? `, ${sizes}` : ""}`];
  if (refused.length > 0) parts.push(`of which ${refused.length} cannot be trained`);
  const able = cells.length - refused.length;
  const here = able - missing.length;
  const known =
    here === 0
      ? ""
      : missing.length === 0
        ? " All of them are here."
        : ` ${here} of them ${here === 1 ? "is" : "are"} here already.`;
  const why = able === 0 && refused.length > 0 ? ` ${refused[0].result!.sentence}` : "";
  return `${parts.join(", ")}.${known}${why}${sameSentence(
    sweep.vary.map(({ field }) => field),
    cells,
  )}`;
}

/** Says that short-lists of some capacity are those of one pipeline alone. */
function sameSentence(fields: string[], cells: SweepCell[]): string {
  if (!fields.includes("gaussiansPerBlock")) return "";
  const isFelt = cells.some(({ run }) => run.config?.pipeline === "tiled");
  return isFelt
    ? ""
    : " Only the pipeline tiled has short-lists of that capacity, so these runs will not differ by it.";
}

/** A run's swept values: "Learning rate 0.01, Blobs 100". */
export function cellName(sweeper: Sweeper, { run }: SweepCell): string {
  return run.values.map((value, i) => valueText(sweeper.sweep!.vary[i].field, value)).join(", ");
}

/** How a run stands, in a word or a number. */
export function cellState(sweeper: Sweeper, { result, live, run }: SweepCell): string {
  if (live) return `step ${live.step} of ${run.config!.steps}`;
  if (!result) return sweeper.isRunning ? "waits" : "missing";
  return result.status === "done" ? decibels(result.psnr) : result.status;
}
