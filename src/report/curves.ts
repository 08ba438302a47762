import { html } from "htl";
import { chartHeight, type PlainChart, plainChart } from "../components/figures/plainChart.js";
import { curveOf } from "../components/runs/curve.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { Report } from "./report.js";
import { gradientLines, listLines, recordedCurve, runLegend, runLines, type XAxis, xAxisSwitch } from "./runCharts.js";

/** A report's charts over the run. */
interface ReportCurves {
  /** Loss, PSNR and gradient norms. */
  training: HTMLElement;
  tileLists: HTMLElement;
  /** Draws a rule at a row of metrics, or removes it. */
  showRow(row?: MetricsRow): void;
  /** Draws a later state of the run. */
  update(report: Report): void;
  /** Draws another run over the recorded one, or updates it. */
  drawOver(name: string, rows: readonly MetricsRow[]): void;
}

/** Returns the charts of a recorded run. */
export function reportCurves(report: Report): ReportCurves {
  let runs = [recordedCurve("recorded", report)];
  let xAxis: XAxis = "step";
  let shownRow: MetricsRow | undefined;
  const training = [
    plainChart("PSNR", chartHeight, (frame) => runLines(runs, "psnr", xAxis, frame, shownRow)),
    plainChart("Loss (squared error)", chartHeight, (frame) => runLines(runs, "loss", xAxis, frame, shownRow)),
    plainChart("Gradient norms by parameter group, as recorded", chartHeight, (frame) =>
      gradientLines(runs[0], xAxis, frame, shownRow),
    ),
  ];
  const tileLists = plainChart("Tile list lengths", chartHeight, (frame) => listLines([runs[0]], xAxis, frame));
  const refresh = (charts: PlainChart[]) => {
    for (const chart of charts) chart.refresh();
  };
  const legend = html`<div class="curve-key">${runLegend(["recorded"])}</div>`;
  const axisSwitch = xAxisSwitch((next) => {
    xAxis = next;
    refresh([...training, tileLists]);
  });
  return {
    training: html`<div class="training-charts" role="group" aria-label="Training curves">
      <div class="chart-head">${legend}${axisSwitch}</div>
      <div class="chart-grid">${training}</div>
    </div>`,
    tileLists,
    showRow(row) {
      shownRow = row;
      refresh(training);
    },
    update(next) {
      runs = [recordedCurve("recorded", next), ...runs.slice(1)];
      refresh([...training, tileLists]);
    },
    drawOver(name, rows) {
      if (runs.length === 1) legend.replaceChildren(runLegend(["recorded", name]));
      runs = [runs[0], { name, ...curveOf({ config: report.description.config, measured: rows }) }];
      refresh(training);
    },
  };
}
