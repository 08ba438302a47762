import { chartHeight, plainChart } from "../components/figures/plainChart.js";
import { element } from "../components/page/element.js";
import { curveOf } from "../components/runs/curve.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { Report } from "./report.js";
import {
  type Against,
  againstSwitch,
  endOf,
  gradientLines,
  listLines,
  type NamedCurve,
  runKey,
  runLines,
} from "./runCharts.js";

/** A report's charts over the run. */
interface ReportCurves {
  /** Loss, PSNR and gradient norms. */
  training: HTMLElement;
  shortLists: HTMLElement;
  /** Draws a rule where the reader looks, at what was measured there; none with no argument. */
  showRow(row?: MetricsRow): void;
  /** Draws another run over the recorded one; it may grow, and be given again. */
  drawOver(name: string, rows: readonly MetricsRow[]): void;
}

/** The charts of a recorded run, which another run may be drawn over. */
export function reportCurves({ description, rows }: Report): ReportCurves {
  const { config } = description;
  const recorded = { name: "recorded", end: endOf(description), ...curveOf({ config, measured: rows }) };
  let runs: NamedCurve[] = [recorded];
  let against: Against = "step";
  let shown: MetricsRow | undefined;
  const charts = [
    plainChart("PSNR", chartHeight, (frame) => runLines(runs, "psnr", against, frame, shown)),
    plainChart("Loss (squared error)", chartHeight, (frame) => runLines(runs, "loss", against, frame, shown)),
    plainChart("Gradient norms by parameter group, as recorded", chartHeight, (frame) =>
      gradientLines(recorded, against, frame, shown),
    ),
  ];
  const shortLists = plainChart("Tile list lengths", chartHeight, (frame) => listLines([recorded], against, frame));
  const key = element("div", { class: "curve-key" }, runKey(["recorded"]));
  const choice = againstSwitch((next) => {
    against = next;
    for (const chart of [...charts, shortLists]) chart.refresh();
  });
  return {
    training: element(
      "div",
      { class: "training-charts" },
      element("div", { class: "chart-head" }, key, choice),
      element("div", { class: "chart-grid" }, ...charts),
    ),
    shortLists,
    showRow(row) {
      shown = row;
      for (const chart of charts) chart.refresh();
    },
    drawOver(name, rows) {
      if (runs.length === 1) key.replaceChildren(runKey(["recorded", name]));
      runs = [recorded, { name, ...curveOf({ config, measured: rows }) }];
      for (const chart of charts) chart.refresh();
    },
  };
}
