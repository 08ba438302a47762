import * as Plot from "../../figures/plot.js";
import { standsFor } from "../../figures/pointed.js";
import { element } from "../../page/element.js";
import { tickText } from "../../page/numberText.js";
import { clippedScale, logTicks } from "../../runs/logScale.js";

/** A line over the steps, step 1 first. */
export interface TraceLine {
  values: ArrayLike<number>;
  stroke: string;
  dash?: string;
  width?: number;
}

/** A chart over the steps. */
export interface Trace {
  title: string;
  height?: number;
  /** What its title stands for in the code. */
  thing?: string;
  lines: TraceLine[];
  x?: TraceScale;
  y: TraceScale;
  /** Marks of Plot below the lines. */
  below?: object[];
}

/** What the charts take of Plot's scales, whose types other projects may not have. */
export interface TraceScale {
  label?: string;
  domain: number[];
  ticks: number | number[];
  type?: "linear" | "log" | "symlog";
  clamp?: boolean;
  constant?: number;
  tickFormat?: (value: number) => string;
}

function traceChart({ title, height = 140, thing, lines, x, y, below = [] }: Trace, width: number) {
  const plot = Plot.plot({
    width,
    height,
    ...{ marginTop: 26, marginRight: 12, marginBottom: 34, marginLeft: 62 },
    style: { fontSize: "12px" },
    ariaLabel: `${title}, against training steps`,
    x: { label: "training steps →", domain: [1, lines[0]?.values.length ?? 2], ticks: width < 500 ? 4 : 8, ...x },
    y: { grid: true, ...y },
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
  const caption = standsFor(element("figcaption", {}, element("strong", {}, title)), thing ?? "");
  const stage = element("div", { class: "trace-stage" }, plot);
  return { node: element("figure", { class: "chart" }, caption, stage), stage, scale: plot.scale("x")! };
}

/**
 * Charts over training steps, as an input: its value is the step, counted from 0, at which the cursor stands in all of
 * them, and to which the reader drags it. `Inputs.bind` links it with a stepper.
 */
export function traceCharts(traces: Trace[], width: number): HTMLElement & { value: number } {
  let at = 0;
  const charts = traces.map((trace) => {
    const { node, stage, scale } = traceChart(trace, width);
    const cursor = element("div", { class: "trace-cursor" });
    const last = (scale.domain as number[])[1] - 1;
    stage.append(cursor);
    stage.classList.add("is-draggable");
    const follow = ({ clientX, buttons }: PointerEvent) => {
      if (buttons === 0) return;
      const step = Math.round(scale.invert!(clientX - stage.getBoundingClientRect().left)) - 1;
      all.value = Math.min(Math.max(step, 0), last);
      all.dispatchEvent(new Event("input", { bubbles: true }));
    };
    stage.addEventListener("pointerdown", (event) => {
      stage.setPointerCapture(event.pointerId);
      follow(event);
    });
    stage.addEventListener("pointermove", follow);
    return { node, place: () => (cursor.style.left = `${scale.apply(Math.min(at, last) + 1)}px`) };
  });
  const nodes = charts.map(({ node }) => node);
  const all = element("div", { class: "trace-charts" }, ...nodes) as unknown as HTMLElement & { value: number };
  const value = {
    get: () => at,
    set(step: number) {
      at = step;
      for (const { place } of charts) place();
    },
  };
  return Object.defineProperty(all, "value", value);
}

/** A vertical axis for values of either sign that span several powers of ten: linear about zero. */
export function symmetricScale(lines: TraceLine[], label: string): TraceScale {
  const all = lines.flatMap(({ values }) => Array.from(values));
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

/** A logarithmic axis for positive values, with few ticks. */
export function logScale(lines: TraceLine[], label: string): TraceScale {
  const { ticks, ...scale } = clippedScale(
    lines.flatMap(({ values }) => Array.from(values)),
    label,
  );
  const every = Math.ceil(ticks.length / 5);
  return { ...scale, ticks: ticks.filter((_, at) => at % every === 0) };
}
