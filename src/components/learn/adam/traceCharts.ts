import { html } from "htl";
import * as Plot from "../../figures/plot.js";
import { linkThings } from "../../figures/pointing.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { tickText } from "../../page/numberText.js";
import { clippedScale, logTicks } from "../../runs/logScale.js";

/** A line over the training steps, step 1 first. */
export interface TraceLine {
  values: ArrayLike<number>;
  stroke: string;
  dash?: string;
  width?: number;
}

/** A chart over the training steps. */
export interface Trace {
  title: string;
  /** Height of the area within the axes, on a wide screen. */
  height?: number;
  /** Whether the axis of training steps is left out, because a chart below has it. */
  sharesAxis?: boolean;
  /** The line of code that the title is linked with. */
  thing?: string;
  lines: TraceLine[];
  x?: TraceScale;
  y: TraceScale;
  /** Plot marks below the lines. */
  below?: object[];
}

/** Options of Plot's scales; declared here because Plot's types may be missing where the library is used. */
export interface TraceScale {
  /** Shown next to the title. */
  label?: string;
  domain: number[];
  ticks: number | number[];
  type?: "linear" | "log" | "symlog";
  clamp?: boolean;
  constant?: number;
  tickFormat?: (value: number) => string;
}

const marginTop = 8;

function traceChart(
  { title, height = 72, sharesAxis = false, thing, lines, x, y: { label, ...y }, below = [] }: Trace,
  width: number,
) {
  const marginBottom = sharesAxis ? 8 : 34;
  const isWide = width > 500;
  const plot = Plot.plot({
    width,
    height: Math.round((isWide ? 1 : 0.8) * height) + marginTop + marginBottom,
    ...{ marginTop, marginRight: 12, marginBottom, marginLeft: 62 },
    style: { fontSize: "12px" },
    ariaLabel: `${title}, against training steps`,
    x: {
      axis: sharesAxis ? null : "bottom",
      label: "training steps →",
      domain: [1, lines[0]?.values.length ?? 2],
      ticks: isWide ? 8 : 4,
      ...x,
    },
    y: { grid: true, label: null, ...y },
    marks: [
      ...(below as Plot.Markish[]),
      lines.map(({ values, stroke, dash, width = 1.75 }) =>
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
  const unit = html`<span class="trace-unit">${label}</span>`;
  const caption = linkThings(html`<figcaption><strong>${title}</strong> ${unit}</figcaption>`, thing ?? "");
  const cursor = html`<div class="trace-cursor" style=${{ top: `${marginTop}px`, bottom: `${marginBottom}px` }}>`;
  const stage = html`<div class="trace-stage">${plot}${cursor}</div>`;
  return { node: html`<figure class="chart">${caption}${stage}</figure>`, stage, cursor, scale: plot.scale("x")! };
}

/**
 * Returns charts over training steps as an input. Its value is the step of the cursor in all of them, counted from 0;
 * the reader drags it. `Inputs.bind` links it with a stepper.
 */
export function traceCharts(traces: Trace[], width: number): HTMLElement & { value: number } {
  let at = 0;
  const charts = traces.map((trace) => {
    const { node, stage, cursor, scale } = traceChart(trace, width);
    const last = (scale.domain as number[])[1] - 1;
    stage.classList.add("is-draggable");
    const dragCursor = ({ clientX, buttons }: PointerEvent) => {
      if (buttons === 0) return;
      const step = Math.round(scale.invert!(clientX - stage.getBoundingClientRect().left)) - 1;
      setInputValue(all, Math.min(Math.max(step, 0), last));
    };
    stage.onpointerdown = (event) => {
      stage.setPointerCapture(event.pointerId);
      dragCursor(event);
    };
    stage.onpointermove = dragCursor;
    return { node, moveCursor: () => (cursor.style.left = `${scale.apply(Math.min(at, last) + 1)}px`) };
  });
  const nodes = charts.map(({ node }) => node);
  const all = html`<div class="trace-charts">${nodes}</div>` as HTMLElement & { value: number };
  const value = {
    get: () => at,
    set(step: number) {
      at = step;
      for (const { moveCursor } of charts) moveCursor();
    },
  };
  return Object.defineProperty(all, "value", value);
}

/** Returns a vertical axis for values of either sign that span several powers of ten: linear around zero. */
export function symmetricScale(lines: TraceLine[], label: string): TraceScale {
  const all = lines.flatMap(({ values }) => Array.from(values));
  const sizes = all
    .map(Math.abs)
    .filter((size) => size > 0 && Number.isFinite(size))
    .sort((a, b) => a - b);
  if (sizes.length === 0) return { label, domain: [-1, 1], ticks: [0] };
  const limit = 1.1 * sizes.at(-1)!;
  const constant = Math.max(sizes[Math.floor(0.5 * sizes.length)] / 2, limit / 1000);
  const position = (value: number) => Math.log1p(value / constant) / Math.log1p(limit / constant);
  const chosenTicks: number[] = [];
  for (const tick of logTicks(limit / 1000, limit).reverse()) {
    if (position(tick) > 0.25 && position(chosenTicks.at(-1) ?? Number.MAX_VALUE) - position(tick) > 0.3)
      chosenTicks.push(tick);
  }
  // A side without values is left out.
  const [low, high] = [all.some((value) => value < 0) ? -limit : 0, all.some((value) => value > 0) ? limit : 0];
  const ticks = [...chosenTicks.map((tick) => -tick), 0, ...chosenTicks].filter((tick) => tick >= low && tick <= high);
  return { type: "symlog", constant, label, domain: [low, high], ticks, tickFormat: tickText };
}

/** Returns a logarithmic axis for positive values, with few ticks. */
export function logScale(lines: TraceLine[], label: string): TraceScale {
  const { ticks, ...scale } = clippedScale(
    lines.flatMap(({ values }) => Array.from(values)),
    label,
  );
  const [low, high] = scale.domain;
  const chosenTicks: number[] = [];
  // As far apart as the lines of a low chart.
  for (const tick of ticks)
    if (!(Math.log(tick / chosenTicks.at(-1)!) < Math.log(high / low) / 4)) chosenTicks.push(tick);
  return { ...scale, ticks: chosenTicks };
}
