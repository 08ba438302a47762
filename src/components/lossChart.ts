import type { Lab } from "./lab.js";
import type { ChartFrame } from "./liveChart.js";
import { type Against, logTicks, logTickText, runLines } from "./runLines.js";

/** Loss, on a logarithmic axis. */
export function lossChart(lab: Lab, frame: ChartFrame, against: Against) {
  const points = [...lab.earlier.map((curve) => curve.points), lab.run?.snapshots ?? []].flat();
  const losses = points.map(({ loss }) => loss).filter((loss) => loss > 0);
  const low = losses.reduce((a, b) => Math.min(a, b), 1);
  const high = losses.reduce((a, b) => Math.max(a, b), 0);
  return runLines(lab, frame, against, "loss", {
    type: "log",
    label: "↑ loss, squared error per pixel",
    ticks: logTicks(low / 1.1, high * 1.1),
    tickFormat: logTickText,
  });
}
