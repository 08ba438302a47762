import { html } from "htl";
import { chartHeight, type PlainChart, plainChart } from "../components/figures/plainChart.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { Report } from "./report.js";
import { gradientLines, listLines, recordedCurve, runLines, type XAxis, xAxisSwitch } from "./runCharts.js";

/** A report's charts over the run. */
interface ReportCurves {
  /** Loss, PSNR and gradient norms. */
  training: HTMLElement;
  tileLists: HTMLElement;
  /** Draws a rule at a row of metrics, or removes it. */
  showRow(row?: MetricsRow): void;
}

/** Returns the charts of a recorded run. */
export function reportCurves(report: Report): ReportCurves {
  const run = recordedCurve(report);
  let xAxis: XAxis = "step";
  let shownRow: MetricsRow | undefined;
  const training = [
    plainChart("PSNR", chartHeight, (frame) => runLines([run], "psnr", xAxis, frame, shownRow)),
    plainChart("Loss (squared error)", chartHeight, (frame) => runLines([run], "loss", xAxis, frame, shownRow)),
    plainChart("Gradient norms by parameter group, as recorded", chartHeight, (frame) =>
      gradientLines(run, xAxis, frame, shownRow),
    ),
  ];
  const tileLists = plainChart("Tile list lengths", chartHeight, (frame) => listLines(run, xAxis, frame));
  const refresh = (charts: PlainChart[]) => {
    for (const chart of charts) chart.refresh();
  };
  const axisSwitch = xAxisSwitch((next) => {
    xAxis = next;
    refresh([...training, tileLists]);
  });
  return {
    training: html`<div class="training-charts" role="group" aria-label="Training curves">
      <div class="chart-head">${axisSwitch}</div>
      <div class="chart-grid">${training}</div>
    </div>`,
    tileLists,
    showRow(row) {
      shownRow = row;
      refresh(training);
    },
  };
}
