import { extent } from "d3-array";
import { html } from "htl";
import { figure } from "../../figures/figure.js";
import * as Plot from "../../figures/plot.js";
import { arrowDirection } from "../../inputs/arrowKeys.js";
import { announce, setText, svg } from "../../page/element.js";
import { countText } from "../../page/numberText.js";
import {
  type CurvePoint,
  describeDistance,
  describeEnds,
  drawStroke,
  heightAt,
  middleOf,
  nearestIndex,
  type PredictionAxis,
  type PredictionState,
  placeText,
  predictedValues,
  valueText,
} from "./predictionModel.js";

/** The true curve, or a function that measures it when the reader asks for it; undefined if it is not known yet. */
export type Answer = readonly CurvePoint[] | PromiseLike<readonly CurvePoint[]> | (() => Answer | undefined);

export interface PredictionOptions {
  /** The question, as the title of the figure. */
  question: string;
  /** A sentence that says the point of the figure. It is always shown. */
  point: string | Node;
  x: PredictionAxis;
  y: PredictionAxis;
  /** The true curve. It can be given later, by `show`. */
  truth?: Answer;
  /** The name of the true curve in the legend. */
  truthName?: string;
  /** The height of the reader's curve at the start, by default the middle of the axis. */
  start?: number;
  /** Marks of Plot below the curves. Plot's own type would need the types of d3 in the package. */
  marks?: object[];
}

/** An input for `view`. Its value is the curve that the reader has drawn, or null before. */
export type Prediction = HTMLElement & {
  value: CurvePoint[] | null;
  /** Replaces the true curve, which stays hidden until the reader asks for it. The reader's curve stays. */
  show(truth: Answer): void;
};

type Position = [x: number, y: number];
type Chart = ReturnType<typeof Plot.plot>;

/** Height of the chart in pixels, and the width of the figure below which it is lower. */
const [chartHeight, lowHeight, narrowWidth] = [230, 196, 420];
/** Size of a target for a finger in pixels. */
const fingerSize = 44;

/**
 * Returns a chart in which the reader draws the curve that they expect, and then compares it with the true one. The curve
 * is drawn by mouse, finger or arrow keys.
 */
export function prediction(options: PredictionOptions): Prediction {
  const { question, point, x, y, truthName = "measured", start = middleOf(y) } = options;
  const xs = predictedValues(x);
  const isDiscrete = x.values !== undefined;
  const startHeights = xs.map(() => start);
  let heights = startHeights;
  let state: PredictionState = "untouched";
  let truth: Answer | undefined = options.truth;
  let answer: readonly CurvePoint[] | undefined;
  /** Counts the requests for the answer: only the last one is shown. */
  let request = 0;
  /** What the answer is being computed for. */
  let pending: "compared" | "shown" | undefined;
  const isAnswerShown = () => state === "compared" || state === "shown";
  let chart: Chart | undefined;

  const handles = xs.map((value, i) =>
    svg(
      "g",
      {
        class: "prediction-handle",
        role: "slider",
        tabindex: i === 0 ? 0 : -1,
        "aria-label": `Your prediction at ${placeText(x, value)}`,
        "aria-orientation": "vertical",
        "aria-valuemin": levelOf(y, y.domain?.[0] ?? 0),
        "aria-valuemax": levelOf(y, y.domain?.[1] ?? 1),
        onfocus: () => setTabStop(i),
        onkeydown: (event: KeyboardEvent) => pressKey(event, i),
      },
      svg("circle", { class: "prediction-target", r: 12 }),
      svg("circle", { class: "prediction-dot", r: isDiscrete ? 6 : 4 }),
    ),
  );
  const line = svg("path", { class: "prediction-line" });
  const band = svg("path", { class: "prediction-band", "stroke-width": fingerSize });
  const sheet = svg("rect", { class: "prediction-sheet" });
  const pen = svg(
    "g",
    {
      class: "prediction-pen",
      onpointerdown: (event: PointerEvent) => startStroke(event),
      onpointermove: (event: PointerEvent) => continueStroke(event),
      onpointerup: () => stop(),
      onpointercancel: () => stop(),
      onclick: (event: MouseEvent) => tap(event),
    },
    sheet,
    band,
    line,
    ...handles,
  );
  const frame = html`<div class="prediction-frame"></div>`;
  const status = html`<p class="prediction-status" role="status"></p>`;
  const button = html<HTMLButtonElement>`<button type="button" onclick=${() => press()}></button>`;
  const legend = html`<div class="prediction-legend" aria-hidden="true">
    <span class="mine">you</span><span class="truth">${truthName}</span>
  </div>`;
  const node = figure(
    {
      title: question,
      alt: `A chart to draw into: ${y.label} by ${x.label}. The true curve appears when you compare.`,
      note: point,
    },
    frame,
    html`<div class="prediction-bar">${button}${legend}</div>`,
    status,
  ) as Prediction;
  node.classList.add("prediction");

  const across = (value: number | string): number => chart!.scale("x")!.apply(value);
  const down = (value: number): number => chart!.scale("y")!.apply(value);
  /** Moves the reader's curve to its heights. */
  const drawCurve = () => {
    const isAnswered = state === "compared";
    for (const [i, handle] of handles.entries()) {
      const text = valueText(y, heights[i]);
      const height = isAnswered && answer ? heightAt(answer, xs[i], x) : undefined;
      handle.setAttribute("aria-valuenow", levelOf(y, heights[i]));
      handle.setAttribute(
        "aria-valuetext",
        height === undefined ? text : `${text}; the answer is ${valueText(y, height)}`,
      );
      handle.setAttribute("aria-readonly", String(isAnswered));
    }
    if (!chart) return;
    const points = xs.map((value, i): Position => [across(value), down(heights[i])]);
    const path = `M${points.map((point) => point.map((n) => n.toFixed(1)).join()).join("L")}`;
    for (const curve of [line, band]) curve.setAttribute("d", path);
    for (const [i, [left, top]] of points.entries()) handles[i].setAttribute("transform", `translate(${left} ${top})`);
  };
  /** Draws the chart, and lays the reader's curve over it. */
  const drawChart = (width: number) => {
    const focused = pen.contains(document.activeElement) ? (document.activeElement as SVGElement) : undefined;
    chart = predictionChart(options, isAnswerShown() ? answer : undefined, width);
    const { range: [left, right] = [0, width] } = chart.scale("x")!;
    const { range: [bottom, top] = [0, 0] } = chart.scale("y")!;
    for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top }))
      sheet.setAttribute(name, String(value));
    chart.append(pen);
    frame.replaceChildren(chart);
    drawCurve();
    focused?.focus({ preventScroll: true });
  };
  let drawnWidth = 0;

  const texts: Record<PredictionState, [button: string, sentence: () => string]> = {
    untouched: [
      "Show the answer",
      () => "Drag the dashed line to where you expect the curve, or move its points by arrow keys.",
    ],
    drawn: ["Compare", () => "Your curve is drawn. Compare it when it is where you expect it."],
    compared: ["Draw again", () => describeDistance(curve(), answer!, x, y)],
    shown: ["Hide the answer", () => describeEnds(answer!, x, y)],
  };
  const curve = (): CurvePoint[] => xs.map((value, i) => ({ x: value, y: heights[i] }));
  /** @param isByReader whether screen readers announce the sentence */
  const enter = (next: PredictionState, isByReader = true) => {
    const wasShown = isAnswerShown();
    state = next;
    frame.classList.toggle("is-new", !wasShown && isAnswerShown());
    node.dataset.state = next;
    button.classList.toggle("primary", next === "drawn");
    setText(button, texts[next][0]);
    announce(status, texts[next][1](), isByReader);
    if (wasShown || isAnswerShown()) {
      if (drawnWidth > 0) drawChart(drawnWidth);
    }
    drawCurve();
  };
  const dispatchInput = () => node.dispatchEvent(new Event("input", { bubbles: true }));
  const press = () => {
    if (pending) return;
    if (!isAnswerShown()) return void reveal(state === "drawn" ? "compared" : "shown");
    heights = startHeights;
    enter("untouched");
    dispatchInput();
  };
  const setPending = (next: typeof pending) => {
    pending = next;
    button.setAttribute("aria-disabled", String(next !== undefined));
  };
  /** Gets the answer, and shows it. */
  const reveal = async (next: "compared" | "shown") => {
    const current = ++request;
    if (!isAnswerShown()) announce(status, "Computing the answer.", true);
    setPending(next);
    try {
      let value = truth;
      while (typeof value === "function") value = value();
      const points = await value;
      if (current !== request) return;
      if (!points) throw new Error("The answer is not known yet.");
      answer = points;
      enter(next);
    } catch (error) {
      if (current === request) announce(status, (error as Error).message, true);
    }
    if (current === request) setPending(undefined);
  };
  const change = (next: number[]) => {
    heights = next;
    if (state === "untouched") enter("drawn");
    else drawCurve();
    dispatchInput();
  };

  const setTabStop = (index: number) => {
    for (const [i, handle] of handles.entries()) handle.tabIndex = i === index ? 0 : -1;
  };
  const canDraw = () => !isAnswerShown() && !pending;
  /** Returns the value of y at a height in the chart, with three digits, within the axis. */
  const valueAt = (top: number): number => {
    const { invert, range: [bottom, highest] = [0, 0] } = chart!.scale("y")!;
    return Number(invert!(Math.min(Math.max(top, highest), bottom)).toPrecision(3));
  };
  const pressKey = (event: KeyboardEvent, index: number) => {
    const ends: Record<string, number> = { Home: 0, End: xs.length - 1 };
    const pages: Record<string, number> = { PageUp: -1, PageDown: 1 };
    const [dx, dy] = arrowDirection(event) ?? [0, 5 * (pages[event.key] ?? 0)];
    const next = ends[event.key] ?? index + dx;
    if (next !== index) handles[next]?.focus();
    if (event.key in ends || event.key in pages) event.preventDefault();
    if (dy === 0 || !chart || !canDraw()) return;
    const { range: [bottom, highest] = [0, 0] } = chart.scale("y")!;
    const value = valueAt(down(heights[index]) + (dy * (bottom - highest)) / 40);
    change(heights.map((height, i) => (i === index ? value : height)));
  };

  let from: Position | undefined;
  const positionOf = ({ clientX, clientY }: PointerEvent | MouseEvent): Position => {
    const { left, top, width } = chart!.getBoundingClientRect();
    const scale = drawnWidth / width;
    return [(clientX - left) * scale, (clientY - top) * scale];
  };
  const drawTo = (to: Position) => {
    const places = xs.map(across);
    const tops = drawStroke(places, heights.map(down), from ?? to, to);
    const before = heights.map(down);
    change(heights.map((height, i) => (tops[i] === before[i] ? height : valueAt(tops[i]))));
    from = to;
  };
  const stop = () => {
    from = undefined;
  };
  // A drag does not scroll the page. Browsers ignore `touch-action` of shapes.
  pen.addEventListener("touchstart", (event) => canDraw() && event.target !== sheet && event.preventDefault(), {
    passive: false,
  });
  const startStroke = (event: PointerEvent) => {
    // A finger elsewhere scrolls the page.
    if (!canDraw() || event.button !== 0 || (event.pointerType !== "mouse" && event.target === sheet)) return;
    pen.setPointerCapture(event.pointerId);
    const at = positionOf(event);
    drawTo(at);
    handles[nearestIndex(xs.map(across), at[0])].focus({ preventScroll: true });
    // No text is selected.
    event.preventDefault();
  };
  const continueStroke = (event: PointerEvent) => {
    if (from && pen.hasPointerCapture(event.pointerId)) drawTo(positionOf(event));
  };
  const tap = (event: MouseEvent) => {
    if (event.target !== sheet || !canDraw()) return;
    drawTo(positionOf(event));
    stop();
  };

  node.show = (next) => {
    truth = next;
    const shown = pending ?? (state === "compared" || state === "shown" ? state : undefined);
    if (shown) void reveal(shown);
  };
  Object.defineProperty(node, "value", {
    get: () => (state === "drawn" || state === "compared" ? curve() : null),
    set(value: readonly CurvePoint[] | null) {
      heights = xs.map((each, i) => value?.find((point) => point.x === each)?.y ?? startHeights[i]);
      enter(value ? "drawn" : "untouched", false);
    },
  });
  enter("untouched", false);
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (width === drawnWidth || width === 0) return;
    drawnWidth = width;
    frame.classList.remove("is-new");
    drawChart(width);
  }).observe(frame);
  return node;
}

/** Returns a value as screen readers count it: on a logarithmic axis its power of ten, without an exponent. */
function levelOf(axis: PredictionAxis, value: number): string {
  return String(Number((axis.scale === "log" ? Math.log10(value) : value).toFixed(6)));
}

/** Returns the axes, and the answer if it is shown. */
function predictionChart(
  { x, y, marks = [], truthName = "measured" }: PredictionOptions,
  answer: readonly CurvePoint[] | undefined,
  width: number,
): Chart {
  const isNarrow = width < narrowWidth;
  const isDiscrete = x.values !== undefined;
  const label = (axis: PredictionAxis) => (axis.unit ? `${axis.label} in ${axis.unit}` : axis.label);
  const tickFormat =
    ({ format = countText }: PredictionAxis) =>
    (value: number | string) =>
      typeof value === "string" ? value : format(value);
  const ticks = x.ticks ?? x.values ?? (isNarrow ? 5 : 8);
  const chart = Plot.plot({
    width,
    height: isNarrow ? lowHeight : chartHeight,
    marginLeft: 48,
    marginRight: 16,
    marginTop: 24,
    marginBottom: 40,
    ariaLabel: `${label(y)} by ${label(x)}`,
    x: {
      type: x.scale ?? "linear",
      domain: x.scale === "point" ? x.values : (x.domain ?? extent(predictedValues(x).map(Number))),
      inset: x.scale === "point" ? 0 : isDiscrete ? 16 : 8,
      label: x.scale === "point" ? label(x) : `${label(x)} →`,
      ticks,
      tickFormat: tickFormat(x),
    },
    y: {
      type: y.scale ?? "linear",
      domain: y.domain,
      inset: 8,
      label: `↑ ${label(y)}`,
      ticks: y.ticks ?? 5,
      tickFormat: tickFormat(y),
      grid: true,
    },
    marks: [
      Plot.frame({ stroke: "var(--line)" }),
      ...(marks as Plot.Markish[]),
      answer && [
        Plot.line(answer, {
          x: "x",
          y: "y",
          stroke: "var(--run-2)",
          strokeWidth: 2.5,
          clip: true,
          className: "prediction-answer",
          ariaDescription: truthName,
        }),
        Plot.dot(isDiscrete ? answer : [], {
          x: "x",
          y: "y",
          fill: "var(--run-2)",
          r: 4,
          symbol: "diamond",
          clip: true,
        }),
      ],
    ],
  });
  // Its handles are sliders.
  return Object.assign(chart, { role: "group" });
}
