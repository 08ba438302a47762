import { element } from "../element.js";
import { liveChart } from "../liveChart.js";
import { againstSwitch } from "../runs/againstSwitch.js";
import { curveOf } from "../runs/curve.js";
import { gradientChart } from "../runs/gradientChart.js";
import { type Against, runLines } from "../runs/runLines.js";
import type { Lab } from "./lab.js";
import { labLines } from "./labLines.js";
import { runLegend } from "./runLegend.js";

/** Loss, PSNR and gradient norms, against steps or seconds. */
export function trainingCharts(lab: Lab): HTMLElement {
  let against: Against = "step";
  const charts = [
    liveChart(lab, "How near: PSNR", (frame) => runLines(labLines(lab), "psnr", against, frame)),
    liveChart(lab, "What is minimised: the loss", (frame) => runLines(labLines(lab), "loss", against, frame)),
    liveChart(lab, "What pulls: the gradient by parameter group", (frame) =>
      gradientChart(lab.run ? curveOf(lab.run).points : [], frame, against),
    ),
  ];
  const choice = againstSwitch((next) => {
    against = next;
    for (const chart of charts) chart.refresh();
  });
  const clear = element(
    "button",
    { type: "button", class: "quiet", onclick: () => lab.clearEarlier() },
    "Clear earlier runs",
  );
  const showClear = () => {
    clear.style.visibility = lab.earlier.length > 0 ? "visible" : "hidden";
  };
  showClear();
  lab.observe(showClear);
  return element(
    "div",
    { class: "training-charts" },
    element("div", { class: "chart-head" }, runLegend(lab), element("div", { class: "run-choices" }, choice, clear)),
    element("div", { class: "chart-grid" }, ...charts),
  );
}
