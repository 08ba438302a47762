import { html } from "htl";
import { chartHeight, plainChart } from "../components/figures/plainChart.js";
import { curveOf } from "../components/runs/curve.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { Report } from "./report.js";
import {
  endOf,
  gradientLines,
  listLines,
  type NamedCurve,
  runLegend,
  runLines,
  type XAxis,
  xAxisSwitch,
} from "./runCharts.js";

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
  const { config } = report.description;
  const curveOfReport = ({ description, rows }: Report): NamedCurve => {
    return { name: "recorded", end: endOf(description), ...curveOf({ config, measured: rows }) };
  };
  let recorded = curveOfReport(report);
  let runs = [recorded];
  let xAxis: XAxis = "step";
  let shownRow: MetricsRow | undefined;
  const charts = [
    plainChart("PSNR", chartHeight, (frame) => runLines(runs, "psnr", xAxis, frame, shownRow)),
    plainChart("Loss (squared error)", chartHeight, (frame) => runLines(runs, "loss", xAxis, frame, shownRow)),
    plainChart("Gradient norms by parameter group, as recorded", chartHeight, (frame) =>
      gradientLines(recorded, xAxis, frame, shownRow),
    ),
  ];
  const tileLists = plainChart("Tile list lengths", chartHeight, (frame) => listLines([recorded], xAxis, frame));
  const legend = html`<div class="curve-key">${runLegend(["recorded"])}</div>`;
  const axisSwitch = xAxisSwitch((next) => {
    xAxis = next;
    for (const chart of [...charts, tileLists]) chart.refresh();
  });
  return {
    training: html`<div class="training-charts">
      <div class="chart-head">${legend}${axisSwitch}</div>
      <div class="chart-grid">${charts}</div>
    </div>`,
    tileLists,
    showRow(row) {
      shownRow = row;
      for (const chart of charts) chart.refresh();
    },
    update(next) {
      recorded = curveOfReport(next);
      runs = [recorded, ...runs.slice(1)];
      for (const chart of [...charts, tileLists]) chart.refresh();
    },
    drawOver(name, rows) {
      if (runs.length === 1) legend.replaceChildren(runLegend(["recorded", name]));
      runs = [recorded, { name, ...curveOf({ config, measured: rows }) }];
      for (const chart of charts) chart.refresh();
    },
  };
}
