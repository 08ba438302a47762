import { fieldOf } from "../engine/fields.js";
import type { SweptRow } from "../engine/files/sweepFile.js";
import { rankedRows } from "../engine/sweep/ranking.js";
import type { Sweep } from "../engine/sweep/sweep.js";
import { colored } from "../terminal/color.js";
import { formatCount } from "../terminal/formatCount.js";
import { tableLines } from "../terminal/table.js";

/** Most rows of a table. */
const maxRows = 20;

/** Returns the runs of a sweep as a table for stdout, best first. If some are not finished, it has their steps. */
export function sweepTable({ vary }: Sweep, rows: readonly SweptRow[]): string {
  const ranked = rankedRows(rows);
  const varied = vary.flatMap(({ field }, i) => {
    const isVaried = new Set(ranked.map(({ values }) => String(values[i]))).size > 1;
    return isVaried ? [{ label: fieldOf(field).label, i }] : [];
  });
  const isPartial = ranked.some(({ status }) => status === "stopped");
  const lines = tableLines(
    ranked.slice(0, maxRows).map(({ values, psnr, loss, seconds, step }, place) => ({
      Run: `${place + 1}`,
      ...Object.fromEntries(varied.map(({ label, i }) => [label, String(values[i])])),
      "PSNR (dB)": psnr.toFixed(2).replace("Infinity", "∞"),
      ...(isPartial && { Steps: formatCount(step) }),
      Loss: loss.toPrecision(3),
      Seconds: seconds.toFixed(1),
    })),
  );
  const [head, best, ...others] = lines;
  const rest = ranked.length > maxRows ? [`${ranked.length - maxRows} more`] : [];
  return [colored("bold", head, "stdout"), colored("green", best, "stdout"), ...others, ...rest].join("\n");
}
