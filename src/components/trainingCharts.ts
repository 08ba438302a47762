import { element, uniqueId } from "./element.js";
import { gradientChart } from "./gradientChart.js";
import type { Lab } from "./lab.js";
import { liveChart } from "./liveChart.js";
import { lossChart } from "./lossChart.js";
import { psnrChart } from "./psnrChart.js";
import { runLegend } from "./runLegend.js";
import type { Against } from "./runLines.js";

/** Loss, PSNR and gradient norms, against steps or seconds. */
export function trainingCharts(lab: Lab): HTMLElement {
  let against: Against = "step";
  const charts = [
    liveChart(lab, "How near: PSNR", (frame) => psnrChart(lab, frame, against)),
    liveChart(lab, "What is minimised: the loss", (frame) => lossChart(lab, frame, against)),
    liveChart(lab, "What pulls: the gradient by parameter group", (frame) => gradientChart(lab, frame, against)),
  ];
  const choose = (next: Against) => {
    against = next;
    for (const chart of charts) chart.refresh();
  };
  const name = uniqueId("against");
  const option = (value: Against, text: string) =>
    element(
      "label",
      {},
      element("input", { type: "radio", name, value, checked: value === against, onchange: () => choose(value) }),
      text,
    );
  const choice = element(
    "fieldset",
    { class: "switch" },
    element("legend", {}, "against"),
    option("step", "steps"),
    option("seconds", "seconds"),
  );
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
