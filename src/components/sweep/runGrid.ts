import { fields } from "../../engine/fields.js";
import type { Sweep } from "../../engine/sweep/sweep.js";
import { paint } from "../images/imageFigure.js";
import { element, setText, svg } from "../page/element.js";
import { tickText } from "../page/numberText.js";
import { updateWhileShown } from "../training/follow.js";
import { shownValue } from "./sweepFields.js";
import { runName, runState, type SweepTraining } from "./sweepTraining.js";

/** An input for `view`, whose value is the place of the run that is looked at: the reader's, or the one under way. */
export type RunGrid = HTMLElement & {
  value: number;
  /** Makes the marks of the class `runs` in a chart, one a row, choose runs as the grid does; returns the chart. */
  marks<E extends Element>(chart: E, rows: readonly { run: number }[]): E;
};

/** The curve's box, in units of its own. */
const [width, height] = [100, 30];

/** A small picture and its loss for each run, laid out as the grid of the swept fields: pointed at, or gone to by keys. */
export function runGrid(training: SweepTraining): RunGrid {
  const { runs, job } = training;
  const { vary } = job.sweep;
  const cells = runs.map(({ plan }) => {
    const canvas = element("canvas", { width: 1, height: 1, "aria-hidden": "true" });
    const path = svg("path");
    const box = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const state = element("span", { class: "multiple-state" });
    const curve = svg("svg", box, path);
    const picture = element("span", { class: "multiple-picture" }, canvas);
    const node = element("button", { type: "button", class: "multiple" }, picture, curve, state);
    return { node, canvas, path, state, name: runName(job.sweep, plan), shown: "", image: {} as unknown };
  });
  const note = element("p", { class: "chart-note" });
  const nodes = cells.map(({ node }) => node);
  const { width: across, height: down } = job.image.image;
  const style = `--shape: ${across} / ${down}; --columns: ${vary[1]?.values.length ?? 0}`;
  const grid = element(
    "div",
    { class: `multiples${vary[1] ? "" : " one-field"}`, role: "group", "aria-label": "Runs", style },
    ...gridCells(job.sweep, nodes),
  );
  const root = element("div", {}, element("div", { class: "sweep-scroll" }, grid), note) as unknown as RunGrid;
  let isChosen = false;
  let chart: { node: Element; marks: Map<number, Element> } | undefined;
  const choose = (run: number) => {
    if (root.value === run) return;
    root.value = run;
    mark();
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const addListeners = (node: Element, run: number, place: (run: number) => Element | undefined) => {
    const pick = () => {
      isChosen = true;
      choose(run);
    };
    // A pointer that rests takes no run from the keyboard, which may scroll the page under it.
    for (const event of ["pointermove", "focus", "click"]) node.addEventListener(event, pick);
    node.addEventListener("keydown", (event) => {
      const next = neighbour((event as KeyboardEvent).key, run, job.sweep);
      const target = next === undefined ? undefined : place(next);
      if (!target) return;
      event.preventDefault();
      (target as HTMLElement).focus();
    });
  };
  // Only one of them is reached by Tab; the arrow keys lead to the others.
  const mark = () => {
    for (const marks of [new Map<number, Element>(nodes.entries()), chart?.marks ?? new Map<number, Element>()]) {
      const first = marks.has(root.value) ? root.value : marks.keys().next().value;
      for (const [run, node] of marks) {
        node.classList.toggle("marked", run === root.value);
        node.setAttribute("tabindex", run === first ? "0" : "-1");
      }
    }
  };
  for (const [run, { node }] of cells.entries()) addListeners(node, run, (next) => nodes[next]);
  root.value = 0;
  root.marks = (node, rows) => {
    const hadFocus = chart?.node.contains(document.activeElement);
    const marks = new Map(Array.from(node.querySelectorAll(".runs > *"), (one, i) => [rows[i].run, one] as const));
    chart = { node, marks };
    for (const [run, one] of marks) {
      one.setAttribute("role", "img");
      one.setAttribute("aria-label", `${cells[run].name}: ${runState(runs[run], training.isRunning)}`);
      addListeners(one, run, (next) => marks.get(next));
    }
    mark();
    if (hadFocus) requestAnimationFrame(() => (marks.get(root.value) as HTMLElement | undefined)?.focus());
    return node;
  };
  void updateWhileShown(training, root, () => {
    if (!isChosen && training.running >= 0) choose(training.running);
    const domain = lossDomain(training);
    for (const [i, place] of cells.entries()) {
      const run = runs[i];
      const state = runState(run, training.isRunning);
      if (place.image !== run.picture) {
        place.image = run.picture;
        if (run.picture) paint(place.canvas, run.picture);
        else Object.assign(place.canvas, { width: 1, height: 1 });
      }
      const shown = `${state} ${run.curve.length} ${domain}`;
      if (place.shown === shown) continue;
      place.shown = shown;
      place.node.dataset.status = run.live ? "running" : (run.result?.status ?? "missing");
      place.node.ariaLabel = `${place.name}: ${state}`;
      place.state.textContent = state;
      place.path.setAttribute("d", domain ? pathOf(run, domain) : "");
    }
    const scale = domain && ` on a logarithmic scale from ${domain.map(tickText).join(" to ")}.`;
    setText(note, `Below each image is its loss curve${scale ?? "."}`);
  });
  mark();
  return root;
}

function gridCells({ vary: [rows, columns] }: Sweep, nodes: HTMLElement[]): HTMLElement[] {
  const head = (text: string, name = "") => element("div", { class: `multiple-head ${name}` }, text);
  const label = fields[rows.field].label;
  if (!columns) {
    return nodes.map((node, i) => element("div", {}, head(`${label} ${shownValue(rows.values[i])}`), node));
  }
  const across = columns.values.length;
  return [
    head(`${label}\u00a0↓\n${fields[columns.field].label}\u00a0→`, "corner"),
    ...columns.values.map((value) => head(shownValue(value))),
    ...rows.values.flatMap((value, i) => [
      head(shownValue(value), "row"),
      ...nodes.slice(i * across, (i + 1) * across),
    ]),
  ];
}

/** The run to which an arrow key leads from another, by their places; undefined if it is no arrow key or leads off. */
export function neighbour(key: string, run: number, { vary: [rows, columns] }: Sweep): number | undefined {
  const across = columns?.values.length ?? 1;
  const at = columns ? run % across : -1;
  const steps: Record<string, number | undefined> = {
    ArrowLeft: at === 0 ? undefined : -1,
    ArrowRight: at === across - 1 ? undefined : 1,
    ArrowUp: -across,
    ArrowDown: across,
  };
  const next = run + (steps[key] ?? Number.NaN);
  return next >= 0 && next < rows.values.length * across ? next : undefined;
}

/** Where the losses of all curves lie; undefined while there are none. */
function lossDomain({ runs }: SweepTraining): [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const { loss } of runs.flatMap(({ curve }) => curve)) {
    if (loss > 0) [low, high] = [Math.min(low, loss), Math.max(high, loss)];
  }
  return high > 0 ? [roundedTo(low, Math.floor), roundedTo(high, Math.ceil)] : undefined;
}

/** The next of 1, 2, 5, 10 … below or above, by how their places are rounded. */
function roundedTo(value: number, round: (place: number) => number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10];
  const place = steps.findLastIndex((step) => step * power <= value * (1 + 1e-9));
  const isExact = Math.abs(steps[place] * power - value) < 1e-9 * value;
  return Number((steps[round(isExact ? place : place + 0.5)] * power).toPrecision(3));
}

/** The curve from the left edge to the right, where the last step is. */
function pathOf({ curve, plan }: SweepTraining["runs"][number], [low, high]: [number, number]): string {
  const span = Math.log(high / low) || 1;
  const points = curve.map(({ step, loss }) => {
    const y = 1 + (height - 2) * (1 - Math.log(Math.max(loss, low) / low) / span);
    return `${((width * step) / plan.config!.steps).toFixed(2)},${y.toFixed(2)}`;
  });
  return points.length > 0 ? `M${points.join("L")}` : "";
}
