import type { Lab } from "./lab.js";
import type { ChartFrame } from "./liveChart.js";
import { type Against, runLines } from "./runLines.js";

/** How near the picture has come, in decibels. */
export function psnrChart(lab: Lab, frame: ChartFrame, against: Against) {
  return runLines(lab, frame, against, "psnr", { nice: true, label: "↑ PSNR, decibels", ticks: 5 });
}
