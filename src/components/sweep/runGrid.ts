import { html, svg } from "htl";
import { fields } from "../../engine/fields.js";
import type { Image } from "../../engine/image/image.js";
import type { Sweep } from "../../engine/sweep/sweep.js";
import { paint } from "../images/imageFigure.js";
import { oneTabStop, showTabStop } from "../inputs/oneTabStop.js";
import { setText } from "../page/element.js";
import { tickText } from "../page/numberText.js";
import { roundedUp } from "../runs/logScale.js";
import { updateWhileShown } from "../training/follow.js";
import { isGrid } from "./sweepCharts.js";
import { shownValue } from "./sweepFields.js";
import { runName, runState, type SweepTraining } from "./sweepTraining.js";

/** An input for `view`: its value is the index of the selected run, which is the current run until the reader selects one. */
type RunGrid = HTMLElement & {
  value: number;
  /** Lets the marks of the class `runs` in a chart, one per row, select runs as the grid does; returns the chart. */
  marks<E extends Element>(chart: E, rows: readonly { run: number }[]): E;
};

/** The size of a curve's view box. */
const [width, height] = [100, 30];

const markSelector = ".runs > *";

/** Elements of a group that select runs, by run. */
interface Selectable {
  group: HTMLElement | SVGElement;
  elements: ReadonlyMap<number, Element>;
  /** Selects the elements, if they are no buttons. */
  selector?: string;
}

/** Returns a small image and a loss curve for each run, in a grid of the swept fields; pointing or focus selects a run. */
export function runGrid(training: SweepTraining): RunGrid {
  const { runs, job } = training;
  const { vary } = job.sweep;
  const cells = runs.map(({ plan }) => runCell(runName(job.sweep, plan)));
  const note = html`<p class="chart-note"></p>`;
  const isTable = isGrid(job.sweep) && vary.length === 2;
  const style = {
    "--shape": job.image.image.width / job.image.image.height,
    "--columns": isTable ? vary[1].values.length : 0,
  };
  const grid = html`<div class="multiples${isTable ? "" : " one-field"}" role="group" aria-label="Runs" style=${style}>
    ${gridCells(job.sweep, cells)}
  </div>`;
  const root = html<RunGrid>`<div><div class="sweep-scroll">${grid}</div>${note}</div>`;
  let isChosen = false;
  const ofGrid: Selectable = { group: grid, elements: new Map(cells.map(({ node }, run) => [run, node])) };
  let ofChart: Selectable | undefined;
  const choose = (run: number) => {
    if (root.value === run) return;
    root.value = run;
    mark();
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const mark = () => {
    for (const { group, elements, selector } of ofChart ? [ofGrid, ofChart] : [ofGrid]) {
      for (const [run, element] of elements) element.ariaCurrent = run === root.value ? "true" : null;
      showTabStop(group, elements.get(root.value), selector);
    }
  };
  const listen = ({ group, elements, selector }: Selectable) => {
    oneTabStop(group, selector);
    const pick = ({ target }: Event) => {
      const found = [...elements].find(([, element]) => element.contains(target as Node));
      if (!found) return;
      isChosen = true;
      choose(found[0]);
    };
    // Not pointerover: it also fires when the keyboard scrolls the page under a resting pointer.
    for (const type of ["pointermove", "focusin", "click"]) group.addEventListener(type, pick);
    mark();
  };
  root.value = 0;
  listen(ofGrid);
  root.marks = (chart, rows) => {
    const hadFocus = ofChart?.group.contains(document.activeElement);
    const marks = new Map(Array.from(chart.querySelectorAll(markSelector), (one, i) => [rows[i].run, one] as const));
    for (const [run, one] of marks) {
      one.role = "img";
      one.ariaLabel = `${cells[run].name}: ${runState(runs[run], training.isRunning)}`;
    }
    ofChart = { group: chart as Element as HTMLElement, elements: marks, selector: markSelector };
    listen(ofChart);
    if (hadFocus) requestAnimationFrame(() => (marks.get(root.value) as HTMLElement | undefined)?.focus());
    return chart;
  };
  void updateWhileShown(training, root, () => {
    if (!isChosen && training.running >= 0) choose(training.running);
    const domain = lossDomain(training);
    for (const [i, cell] of cells.entries()) cell.show(runs[i], runState(runs[i], training.isRunning), domain);
    const scale = domain && ` on a logarithmic scale from ${domain.map(tickText).join(" to ")}.`;
    setText(note, `Below each image is its loss curve${scale ?? "."}`);
  });
  return root;
}

type Run = SweepTraining["runs"][number];

/** Returns a cell of the grid. */
function runCell(name: string) {
  const canvas = html<HTMLCanvasElement>`<canvas width="1" height="1" aria-hidden="true"></canvas>`;
  const path = svg`<path/>`;
  const stateNode = html`<span class="multiple-state"></span>`;
  const node = html<HTMLButtonElement>`<button type="button" class="multiple">
    <span class="multiple-image">${canvas}</span>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${path}</svg>
    ${stateNode}
  </button>`;
  let shownImage: Image | undefined;
  let shown = "";
  const show = (run: Run, state: string, domain: [number, number] | undefined) => {
    if (shownImage !== run.picture) {
      shownImage = run.picture;
      if (shownImage) paint(canvas, shownImage);
      else Object.assign(canvas, { width: 1, height: 1 });
    }
    const next = `${state} ${run.curve.length} ${domain}`;
    if (next === shown) return;
    shown = next;
    node.dataset.status = run.live ? "running" : (run.result?.status ?? "missing");
    node.ariaLabel = `${name}: ${state}`;
    stateNode.textContent = state;
    path.setAttribute("d", domain ? pathOf(run, domain) : "");
  };
  return { name, node, show };
}

/** Returns the children of the grid: heads with the swept values, and the runs. */
function gridCells(sweep: Sweep, cells: readonly ReturnType<typeof runCell>[]): HTMLElement[] {
  const [rows, columns] = sweep.vary;
  const head = (text: string, name = "") => html`<div class="multiple-head ${name}">${text}</div>`;
  const label = fields[rows.field].label;
  if (!columns || !isGrid(sweep)) return cells.map(({ node, name }) => html`<div>${head(name)}${node}</div>`);
  const across = columns.values.length;
  return [
    head(`${label}\u00a0↓\n${fields[columns.field].label}\u00a0→`, "corner"),
    ...columns.values.map((value) => head(shownValue(value))),
    ...rows.values.flatMap((value, i) => [
      head(shownValue(value), "row"),
      ...cells.slice(i * across, (i + 1) * across).map(({ node }) => node),
    ]),
  ];
}

/** Returns the range of the losses of all curves, rounded out to 1, 2 or 5 times a power of ten; undefined without curves. */
function lossDomain({ runs }: SweepTraining): [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const { loss } of runs.flatMap(({ curve }) => curve)) {
    if (loss > 0) [low, high] = [Math.min(low, loss), Math.max(high, loss)];
  }
  return high > 0 ? [1 / roundedUp(1 / low), roundedUp(high)] : undefined;
}

/** Returns the path of a run's curve. The last step is at the right edge. */
function pathOf({ curve, plan }: Run, [low, high]: [number, number]): string {
  const span = Math.log(high / low) || 1;
  const points = curve.map(({ step, loss }) => {
    const y = 1 + (height - 2) * (1 - Math.log(Math.max(loss, low) / low) / span);
    return `${((width * step) / plan.config!.steps).toFixed(2)},${y.toFixed(2)}`;
  });
  return points.length > 0 ? `M${points.join("L")}` : "";
}
