import * as Plot from "@observablehq/plot";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { element } from "../element.js";
import { count, decibels, rate } from "../format.js";
import { logAxis, logTicks } from "../runs/runLines.js";
import { fieldsToKeep } from "../training/link.js";
import type { SweepCell, Sweeper } from "./sweeper.js";
import { cellName, cellState } from "./sweepWords.js";

const height = 220;

/**
 * The run that is looked at: what came of it, its curve among those of the others, and its settings.
 * @param addressOf where the lab trains a config
 */
export function sweepDetail(sweeper: Sweeper, addressOf: (config: TrainConfig) => string): HTMLElement {
  const title = element("h3", {}, "A run");
  const facts = element("p", { class: "detail-facts" }, "Choose a run to see its curve and its settings.");
  const frame = element("div", { class: "chart-frame", style: `height: ${height}px` });
  const waiting = element("p", { class: "chart-waiting" }, "Its loss will be drawn here, among those of the others.");
  const settings = element("dl", { class: "detail-settings", tabindex: "0", "aria-label": "Settings of the run" });
  const link = element("a", {});
  const open = element("p", { class: "detail-link" }, link);
  const node = element(
    "section",
    { class: "sweep-detail", "aria-label": "The run that is looked at" },
    title,
    facts,
    frame,
    open,
    settings,
  );
  let shown = "";
  const show = () => {
    const cell = sweeper.cells[sweeper.marked];
    const width = frame.clientWidth;
    if (!cell || width === 0) return;
    const key = `${sweeper.version} ${cell.index} ${cell.curve.length} ${cell.version} ${width}`;
    if (key === shown) return;
    shown = key;
    title.textContent = cellName(sweeper, cell);
    facts.textContent = factsOf(sweeper, cell);
    frame.replaceChildren(lossChart(sweeper.cells, cell, width) ?? waiting);
    const { config } = cell.run;
    open.style.visibility = config ? "visible" : "hidden";
    if (config) link.href = addressOf(config);
    // An address cannot tell a picture that is the reader's own.
    link.textContent = sweeper.target?.inGallery ? "Open this run in the lab" : "Open these settings in the lab";
    const told = config
      ? fieldsToKeep(config, { ...completeConfig({ preset: config.preset }), preset: "" as never })
      : {};
    settings.replaceChildren(
      ...Object.entries(told).flatMap(([field, value]) => [
        element("dt", {}, field),
        element("dd", {}, Array.isArray(value) ? value.join(" × ") : String(value)),
      ]),
    );
  };
  new ResizeObserver(show).observe(frame);
  sweeper.observe(show);
  return node;
}

function factsOf(sweeper: Sweeper, cell: SweepCell): string {
  const { result } = cell;
  if (!result) return `${cellState(sweeper, cell)}.`.replace(/^./, (first) => first.toUpperCase());
  if (result.sentence)
    return `${result.status === "refused" ? "It cannot be trained" : "It failed"}: ${result.sentence}`;
  const { psnr, loss, seconds, stepsPerSecond, step } = result;
  const end = result.status === "stopped" ? `Stopped after ${count(step)} steps` : `${count(step)} steps`;
  return `${end} in ${Number(seconds.toPrecision(3))} s, ${rate(stepsPerSecond)} steps/s. PSNR ${decibels(psnr)}, loss ${Number(loss.toPrecision(3))}.`;
}

/** Points of all faint lines together, at most: more take long to draw. */
const mostPoints = 2000;

/** The run's loss bold, those of the others faint. */
function lossChart(cells: SweepCell[], cell: SweepCell, width: number): Element | undefined {
  const stride = Math.ceil(cells.reduce((sum, { curve }) => sum + curve.length, 0) / mostPoints);
  const points = cells.flatMap(({ curve, index }) =>
    curve
      .filter(({ loss }, i) => loss > 0 && (index === cell.index || i % stride === 0 || i === curve.length - 1))
      .map((point) => ({ ...point, index })),
  );
  if (points.length < 2) return undefined;
  const losses = points.map(({ loss }) => loss);
  const ticks = logTicks(Math.min(...losses) / 1.1, Math.max(...losses) * 1.1);
  const own = points.filter(({ index }) => index === cell.index);
  return Plot.plot({
    width,
    height,
    marginLeft: 52,
    marginBottom: 40,
    marginRight: 12,
    style: { fontSize: "12px" },
    ariaLabel: "Loss against training steps",
    x: {
      label: "training steps →",
      ticks: 4,
      tickFormat: (step: number) => (Number.isInteger(step) ? count(step) : ""),
    },
    y: {
      type: "log",
      label: "↑ loss, squared error per pixel",
      grid: true,
      ticks,
    },
    marks: [
      logAxis("y", ticks),
      Plot.lineY(points, {
        x: "step",
        y: "loss",
        z: "index",
        stroke: "var(--earlier)",
        strokeOpacity: 0.45,
        strokeWidth: 1,
      }),
      Plot.lineY(own, { x: "step", y: "loss", stroke: "var(--current)", strokeWidth: 2.25 }),
      Plot.dot(own.slice(-1), { x: "step", y: "loss", fill: "var(--current)", r: 3.5 }),
    ],
  });
}
