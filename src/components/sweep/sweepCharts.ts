import { element, uniqueId } from "../element.js";
import type { ChartFrame } from "../liveChart.js";
import { dotChart } from "./sweepDots.js";
import type { Sweeper } from "./sweeper.js";
import { heatMap, heatMapSize } from "./sweepHeatMap.js";
import { neighbour } from "./sweepKeys.js";
import { sweepMeasures } from "./sweepMeasures.js";
import { cellName, cellState } from "./sweepWords.js";

/** A drawn chart, and the mark of each run in it, by the run's index; a run without a mark is left out. */
export interface DrawnSweep {
  node: Element;
  marks: Map<number, SVGElement>;
}

/** Pixels of the heat map's legend. */
const legendHeight = 58;

const emptyText =
  "No run is done yet. Start the sweep, and each run's number will stand here, beside those of the others.";

/** All runs by one of their numbers: a heat map of two fields, a line of one. */
export function sweepCharts(sweeper: Sweeper): HTMLElement {
  let measure = sweepMeasures[0];
  let drawn = "";
  let marks = new Map<number, SVGElement>();
  const frame = element("div", { class: "chart-frame sweep-frame" });
  const empty = element("p", { class: "chart-waiting" }, emptyText);
  const title = element("strong", {}, "");
  const name = uniqueId("measure");
  const choice = element(
    "fieldset",
    { class: "switch" },
    element("legend", {}, "by"),
    ...sweepMeasures.map((one) => {
      const choose = () => {
        measure = one;
        show();
      };
      const checked = one === measure;
      return element("label", {}, element("input", { type: "radio", name, checked, onchange: choose }), one.name);
    }),
  );
  const draw = ({ width, height }: ChartFrame): DrawnSweep =>
    sweeper.sweep!.vary.length === 2
      ? heatMap(sweeper, measure, { width, height })
      : dotChart(sweeper, measure, { width, height });
  const show = () => {
    const { sweep, version, marked, results } = sweeper;
    const width = frame.clientWidth;
    if (!sweep || width === 0) return;
    const size = sweep.vary.length === 2 ? heatMapSize(sweep, width) : { width, height: 320 };
    const legend = sweep.vary.length === 2 ? legendHeight : 0;
    const key = `${version} ${measure.name} ${width}`;
    if (drawn !== key) {
      drawn = key;
      const had = frame.contains(document.activeElement);
      frame.style.minHeight = `${size.height + legend}px`;
      title.textContent = `Each run's ${measure.label}`;
      const isEmpty = results.every(({ result }) => result!.status !== "done");
      const chart = isEmpty ? undefined : draw(size);
      marks = chart?.marks ?? new Map();
      frame.replaceChildren(chart?.node ?? empty);
      for (const [index, mark] of marks) listen(mark, index);
      if (had) marks.get(marked)?.focus();
    }
    for (const [index, mark] of marks) {
      mark.classList.toggle("marked", index === marked);
      mark.setAttribute("tabindex", index === focusable() ? "0" : "-1");
    }
  };
  /** Only one mark is reached by Tab; the arrow keys lead to the others. */
  const focusable = () => (marks.has(sweeper.marked) ? sweeper.marked : marks.keys().next().value);
  const listen = (mark: SVGElement, index: number) => {
    const cell = sweeper.cells[index];
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", `${cellName(sweeper, cell)}: ${cellState(sweeper, cell)}`);
    mark.addEventListener("pointerenter", () => sweeper.mark(index));
    mark.addEventListener("focus", () => sweeper.mark(index));
    mark.addEventListener("keydown", (event) => {
      const next = neighbour(event.key, index, sweeper.sweep!);
      if (next === undefined) return;
      event.preventDefault();
      marks.get(next)?.focus();
    });
  };
  new ResizeObserver(show).observe(frame);
  sweeper.observe(show);
  return element(
    "figure",
    { class: "chart sweep-chart" },
    element("figcaption", {}, title, choice),
    element("div", { class: "sweep-scroll" }, frame),
  );
}
