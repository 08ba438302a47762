import { element } from "../components/element.js";
import { chartHeight } from "../components/liveChart.js";
import { plainChart } from "../components/plainChart.js";
import { againstSwitch } from "../components/runs/againstSwitch.js";
import { curveOf } from "../components/runs/curve.js";
import { gradientChart } from "../components/runs/gradientChart.js";
import { type CurvesView, runCurves, runKey } from "../components/runs/runCurves.js";
import type { Against } from "../components/runs/runLines.js";
import { shortListCurves } from "../components/runs/shortListCurves.js";
import type { MetricsRow } from "../engine/arrow.js";
import type { Report } from "./report.js";

/** A report's charts over the run. */
export interface ReportCurves {
  /** Loss, PSNR and gradient norms. */
  training: HTMLElement;
  shortLists: HTMLElement;
  /** Draws another run over the recorded one; it may grow, and be given again. */
  drawOver(name: string, rows: readonly MetricsRow[]): void;
}

/** The charts of a recorded run, which another run may be drawn over. */
export function reportCurves({ description, rows }: Report): ReportCurves {
  const { config } = description;
  const recorded = { name: "recorded", ...curveOf({ config, measured: rows }) };
  let runs = [recorded];
  let against: Against = "step";
  const look = (): CurvesView => ({ runs, against });
  const charts = [
    runCurves("psnr", look),
    runCurves("loss", look),
    plainChart("What pulls: the gradient by parameter group, as recorded", chartHeight, (frame) =>
      gradientChart(recorded.points, frame, against),
    ),
  ];
  const shortLists = shortListCurves(() => ({ runs: [recorded], against }));
  const key = element("div", { class: "curve-key" }, runKey(["recorded"]));
  const refresh = () => {
    for (const chart of charts) chart.refresh();
  };
  const choice = againstSwitch((next) => {
    against = next;
    refresh();
    shortLists.refresh();
  });
  return {
    training: element(
      "div",
      { class: "training-charts" },
      element("div", { class: "chart-head" }, key, choice),
      element("div", { class: "chart-grid" }, ...charts),
    ),
    shortLists,
    drawOver(name, rows) {
      if (runs.length === 1) key.replaceChildren(runKey(["recorded", name]));
      runs = [recorded, { name, ...curveOf({ config, measured: rows }) }];
      refresh();
    },
  };
}
