import * as Plot from "@observablehq/plot";
import { element } from "../../element.js";
import { plainChart } from "../../plainChart.js";
import { logTicks } from "../../runs/runLines.js";
import { tickText } from "../numberText.js";

/** A line over the steps, step 1 first. */
export interface TraceLine {
  name: string;
  values: ArrayLike<number>;
  stroke: string;
  dash?: string | undefined;
  width?: number;
}

/** What a chart over the steps shows. */
export interface Traces {
  lines: TraceLine[];
  /** Options of its vertical axis. */
  y: Plot.ScaleOptions;
  /** Marks below the lines. */
  below?: Plot.Markish[];
  x?: Plot.ScaleOptions;
  /** Whether the steps are named below the chart; another chart may stand there with the same axis. */
  isLast?: boolean;
}

/** A chart over training steps with a cursor at one of them, which the reader can drag. */
export interface TraceChart {
  readonly node: HTMLElement;
  refresh(): void;
  /** Puts the cursor at a step, counted from 0. */
  goTo(step: number): void;
}

const margins = { marginTop: 26, marginRight: 12, marginLeft: 62 };

/**
 * @param draw what to show, or undefined while there is nothing
 * @param go called with the step, counted from 0, that the reader drags the cursor to
 */
export function traceChart(
  title: string,
  height: number,
  draw: () => Traces | undefined,
  go?: (step: number) => void,
): TraceChart {
  const cursor = element("div", { class: "trace-cursor", hidden: true });
  let step = 0;
  let plot: ((SVGSVGElement | HTMLElement) & Plot.Plot) | undefined;
  let steps = 0;
  let isLast = true;
  const place = () => {
    const scale = plot?.scale("x");
    cursor.hidden = !scale || steps === 0 || !go;
    if (!scale) return;
    cursor.style.bottom = `${isLast ? 34 : 20}px`;
    cursor.style.left = `${scale.apply(Math.min(step + 1, steps))}px`;
  };
  const chart = plainChart(title, height, ({ width, height }) => {
    const traces = draw();
    plot = undefined;
    isLast = traces?.isLast !== false;
    steps = traces?.lines[0]?.values.length ?? 0;
    if (!traces || steps === 0) {
      place();
      return element("p", { class: "chart-waiting" }, "Nothing is recorded yet.");
    }
    plot = Plot.plot({
      width,
      height,
      ...margins,
      marginBottom: traces.isLast === false ? 20 : 34,
      style: { fontSize: "12px" },
      ariaLabel: `${title}, against training steps`,
      x: {
        label: traces.isLast === false ? null : "training steps →",
        domain: [1, steps],
        ticks: width < 500 ? 4 : 8,
        ...traces.x,
      },
      y: { grid: true, ...traces.y },
      marks: [
        ...(traces.below ?? []),
        traces.lines.map(({ values, stroke, dash, width = 1.75 }) =>
          Plot.lineY(values, {
            x: (_: number, at: number) => at + 1,
            y: (value: number) => (Number.isFinite(value) ? value : undefined),
            stroke,
            strokeWidth: width,
            strokeDasharray: dash,
            clip: true,
          }),
        ),
      ],
    });
    place();
    return plot;
  });
  const frame = chart.querySelector<HTMLElement>(".chart-frame")!;
  frame.classList.add("trace-frame");
  // The frame's content is replaced when it is drawn; the cursor stands beside it.
  const stage = element("div", { class: "trace-stage" });
  frame.replaceWith(stage);
  stage.append(frame, cursor);
  if (go) {
    const follow = (event: PointerEvent) => {
      const scale = plot?.scale("x");
      if (!scale?.invert) return;
      const at = Math.round(scale.invert(event.clientX - frame.getBoundingClientRect().left)) - 1;
      go(Math.min(Math.max(at, 0), steps - 1));
    };
    stage.classList.add("is-draggable");
    stage.addEventListener("pointerdown", (event) => {
      stage.setPointerCapture(event.pointerId);
      follow(event);
    });
    stage.addEventListener("pointermove", (event) => {
      if (stage.hasPointerCapture(event.pointerId)) follow(event);
    });
  }
  return {
    node: chart,
    refresh: () => chart.refresh(),
    goTo(next) {
      step = next;
      place();
    },
  };
}

/** A vertical axis for values of either sign that span several powers of ten: linear about zero. */
export function symmetricScale(values: Iterable<number>, label: string): Plot.ScaleOptions {
  const all = Array.from(values);
  const sizes = all
    .map(Math.abs)
    .filter((size) => size > 0 && Number.isFinite(size))
    .sort((a, b) => a - b);
  if (sizes.length === 0) return { label, domain: [-1, 1], ticks: [0] };
  const most = 1.1 * sizes.at(-1)!;
  const constant = Math.max(sizes[Math.floor(0.5 * sizes.length)] / 2, most / 1000);
  const place = (value: number) => Math.log1p(value / constant) / Math.log1p(most / constant);
  const chosen: number[] = [];
  for (const tick of logTicks(most / 1000, most).reverse()) {
    if (place(tick) > 0.25 && place(chosen.at(-1) ?? Number.MAX_VALUE) - place(tick) > 0.3) chosen.push(tick);
  }
  // A side on which there is nothing is left out.
  const [low, high] = [all.some((value) => value < 0) ? -most : 0, all.some((value) => value > 0) ? most : 0];
  const ticks = [...chosen.map((tick) => -tick), 0, ...chosen].filter((tick) => tick >= low && tick <= high);
  return { type: "symlog", constant, label, domain: [low, high], ticks, tickFormat: tickText };
}

/** A logarithmic axis for positive values. */
export function logScale(values: Iterable<number>, label: string): Plot.ScaleOptions {
  const positive = Array.from(values).filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return { label, domain: [0, 1], ticks: [0] };
  const low = positive.reduce((a, b) => Math.min(a, b)) / 1.15;
  const high = positive.reduce((a, b) => Math.max(a, b)) * 1.15;
  const all = logTicks(low, high);
  const every = Math.ceil(all.length / 5);
  const ticks = all.filter((_, at) => at % every === 0);
  return { type: "log", label, domain: [low, high], ticks, tickFormat: tickText };
}
