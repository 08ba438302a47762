import { element } from "../element.js";
import { logTickText } from "../runs/runLines.js";
import type { SweepCell, Sweeper } from "./sweeper.js";
import { shownValue, sweepFields } from "./sweepFields.js";
import { neighbour } from "./sweepKeys.js";
import { cellName, cellState } from "./sweepWords.js";

/** The curve's box, in units of its own. */
const [width, height] = [100, 30];

/** A small picture and its loss for each run, laid out as the grid of the swept fields. */
export function sweepMultiples(sweeper: Sweeper): HTMLElement {
  const grid = element("div", { class: "multiples", role: "group", "aria-label": "Runs" });
  // Only one of them is reached by Tab; the arrow keys lead to the others.
  grid.addEventListener("keydown", (event) => {
    const at = multiples.findIndex(({ node }) => node === event.target);
    const next = at < 0 ? undefined : neighbour(event.key, at, sweeper.sweep!);
    if (next === undefined) return;
    event.preventDefault();
    multiples[next].node.focus();
  });
  const note = element("p", { class: "chart-note" }, "Below each picture its loss will stand.");
  const node = element("div", { class: "multiples-frame" }, element("div", { class: "sweep-scroll" }, grid), note);
  let shown: SweepCell[] | undefined;
  let multiples: Multiple[] = [];
  sweeper.observe(() => {
    if (shown !== sweeper.cells && sweeper.sweep) {
      shown = sweeper.cells;
      multiples = shown.map((cell) => new Multiple(sweeper, cell));
      layOut(grid, sweeper, multiples);
    }
    const domain = lossDomain(sweeper.cells);
    for (const multiple of multiples) multiple.show(domain);
    const text = domain
      ? `Below each picture its loss over its steps, on one logarithmic scale from ${domain.map(logTickText).join(" to ")}.`
      : "Below each picture its loss over its steps will stand.";
    if (note.textContent !== text) note.textContent = text;
  });
  return node;
}

function layOut(grid: HTMLElement, { sweep, target }: Sweeper, multiples: Multiple[]): void {
  const [rows, columns] = sweep!.vary;
  const { width, height } = target!.image;
  grid.style.setProperty("--shape", `${width} / ${height}`);
  grid.style.setProperty("--columns", String(columns?.values.length ?? 0));
  grid.classList.toggle("one-field", !columns);
  const nodes = multiples.map(({ node }) => node);
  if (!columns) {
    const captioned = nodes.map((node, i) => {
      const label = `${sweepFields[rows.field].label} ${shownValue(rows.values[i])}`;
      return element("div", { class: "multiple-row" }, element("div", { class: "multiple-head" }, label), node);
    });
    grid.replaceChildren(...captioned);
    return;
  }
  const head = (text: string, name = "") => element("div", { class: `multiple-head ${name}` }, text);
  const corner = head(`${sweepFields[rows.field].label}\u00a0↓\n${sweepFields[columns.field].label}\u00a0→`, "corner");
  const lines = rows.values.map((value, row) => [
    head(shownValue(value), "row"),
    ...nodes.slice(row * columns.values.length, (row + 1) * columns.values.length),
  ]);
  grid.replaceChildren(corner, ...columns.values.map((value) => head(shownValue(value))), ...lines.flat());
}

/** Where the losses of all curves lie, from 1, 2 or 5 to 1, 2 or 5. */
function lossDomain(cells: SweepCell[]): [number, number] | undefined {
  const losses = cells.flatMap(({ curve }) => curve.map(({ loss }) => loss)).filter((loss) => loss > 0);
  if (losses.length === 0) return undefined;
  const low = losses.reduce((a, b) => Math.min(a, b));
  const high = losses.reduce((a, b) => Math.max(a, b));
  return [roundedTo(low, Math.floor), roundedTo(high, Math.ceil)];
}

/** The next of 1, 2, 5, 10 … below or above, by how their places are rounded. */
function roundedTo(value: number, round: (place: number) => number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10];
  const place = steps.findLastIndex((step) => step * power <= value * (1 + 1e-9));
  const isExact = Math.abs(steps[place] * power - value) < 1e-9 * value;
  return Number((steps[round(isExact ? place : place + 0.5)] * power).toPrecision(3));
}

/** One run's small picture, and its curve. */
class Multiple {
  readonly node: HTMLButtonElement;
  readonly #canvas = element("canvas", { width: 1, height: 1, "aria-hidden": "true" });
  readonly #curve = document.createElementNS("http://www.w3.org/2000/svg", "path");
  readonly #state = element("span", { class: "multiple-state" });
  #shown = "";
  #picture: unknown;

  constructor(
    readonly sweeper: Sweeper,
    readonly cell: SweepCell,
  ) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    svg.append(this.#curve);
    const mark = () => sweeper.mark(cell.index);
    this.node = element(
      "button",
      { type: "button", class: "multiple", onpointerenter: mark, onfocus: mark, onclick: mark },
      element("span", { class: "multiple-picture" }, this.#canvas),
      svg as unknown as HTMLElement,
      this.#state,
    );
  }

  show(domain: [number, number] | undefined): void {
    const { sweeper, cell, node } = this;
    const isMarked = sweeper.marked === cell.index;
    node.classList.toggle("marked", isMarked);
    node.tabIndex = isMarked ? 0 : -1;
    const state = cellState(sweeper, cell);
    const key = `${cell.version} ${domain} ${state}`;
    if (this.#shown === key) return;
    this.#shown = key;
    node.dataset.status = cell.live ? "running" : (cell.result?.status ?? "missing");
    this.#state.textContent = state;
    node.ariaLabel = `${cellName(sweeper, cell)}: ${state}`;
    if (domain) this.#curve.setAttribute("d", pathOf(cell, domain));
    if (this.#picture === cell.picture) return;
    this.#picture = cell.picture;
    const picture = cell.picture ?? { width: 1, height: 1, data: new Uint8ClampedArray(4) };
    Object.assign(this.#canvas, { width: picture.width, height: picture.height });
    this.#canvas
      .getContext("2d")!
      .putImageData(new ImageData(new Uint8ClampedArray(picture.data), picture.width, picture.height), 0, 0);
  }
}

/** The curve from the left edge to the right, where the last step is. */
function pathOf({ curve, run }: SweepCell, [low, high]: [number, number]): string {
  const span = Math.log(high / low) || 1;
  const steps = run.config?.steps ?? 1;
  const points = curve.map(({ step, loss }) => {
    const y = 1 + (height - 2) * (1 - Math.log(Math.max(loss, low) / low) / span);
    return `${((width * step) / steps).toFixed(2)},${y.toFixed(2)}`;
  });
  return points.length > 0 ? `M${points.join("L")}` : "";
}
