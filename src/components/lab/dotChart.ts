import type { Table } from "apache-arrow";
import { brush } from "d3-brush";
import { select } from "d3-selection";
import { html, svg } from "htl";
import { clamp } from "../../engine/clamp.js";
import {
  blobsIn,
  type DotChart,
  type DotRange,
  type DotScale,
  type DotValues,
  drawDots,
  nearestDot,
} from "../../engine/model/dots.js";
import * as Plot from "../figures/plot.js";
import { linkThings, pointAt, thingName } from "../figures/pointing.js";
import { setInputValue } from "../inputs/setInputValue.js";
import { setText } from "../page/element.js";
import { updateWhileShown } from "../training/follow.js";
import type { Run } from "../training/run.js";

/** The columns along the axes, the size in pixels, and which axes have a log scale. */
interface DotOptions {
  x: string;
  y: string;
  width: number;
  height: number;
  logScales: readonly string[];
}

/** A chart with a dot per blob. As an input, it has the brushed range as its value; null if there is none. */
type DotChartInput = HTMLElement & {
  value: DotRange | null;
  /**
   * Shows the blobs of a table with the columns of parameters.arrow.
   * @param follows whether the dots follow the run until the next table
   */
  show(parameters: Table, follows: boolean): void;
  /** Marks blobs, such as the pointed and the pinned one. */
  mark(...blobs: (number | null)[]): void;
};

const axisNames = ["x", "y"] as const;
type AxisName = (typeof axisNames)[number];
/** Pixels from the pointer to the dot that it points at. */
const reach = 8;

/**
 * Returns a chart of all blobs of a run under the axes of Plot. While the run trains, a GPU draws the blobs that it has;
 * otherwise this page draws those of the table. A dot points at its blob. The reader brushes a range by dragging, or
 * types it.
 */
export function dotChart(run: Run, { width, height, logScales, ...columns }: DotOptions): DotChartInput {
  const canvas = html<HTMLCanvasElement>`<canvas aria-hidden="true"></canvas>`;
  const frame = html`<div class="dot-frame points">${canvas}</div>`;
  const fields = Object.fromEntries(
    axisNames.map((axis) => [axis, ["from", "to"].map((end) => rangeField(`${columns[axis]} ${end}`))]),
  ) as Record<AxisName, HTMLInputElement[]>;
  const note = html`<span class="figure-note"></span>`;
  const clearButton = html`<button type="button" class="quiet" onclick=${() => setInputValue(node, null)}>Clear</button>`;
  const row = (axis: AxisName) => html`<span>${columns[axis]} ${fields[axis][0]} to ${fields[axis][1]}</span>`;
  const node = html<DotChartInput>`<div class="dot-chart" oninput=${readFields}>
    ${frame}
    <div class="dot-range" role="group" aria-label="Brushed range">${axisNames.map(row)} ${clearButton} ${note}</div>
  </div>`;

  let value: DotRange | null = null;
  let values: DotValues | undefined;
  let follows = false;
  let chart: DotChart | undefined;
  let scales: Record<AxisName, ReturnType<Plot.Plot["scale"]> & object> | undefined;
  let marked: (number | null)[] = [];
  let marks = svg`<g></g>`;
  let isBrushing = false;
  let showBrush = () => {};

  /** Draws the axes and their brush, unless the reader is brushing. */
  const drawAxes = () => {
    const nextScales = {} as Record<AxisName, DotScale>;
    for (const axis of axisNames) {
      const isLog = logScales.includes(axis);
      nextScales[axis] = { column: columns[axis], isLog, domain: niceDomain(values![axis], isLog) };
    }
    if (
      isBrushing ||
      (chart && axisNames.every((axis) => String(nextScales[axis].domain) === String(chart![axis].domain)))
    )
      return;
    const options = (axis: AxisName): Plot.ScaleOptions => ({
      type: nextScales[axis].isLog ? "log" : "linear",
      domain: [...nextScales[axis].domain],
      label: columns[axis],
      ticks: axis === "x" ? Math.round(width / 150) : 5,
      tickFormat: "~g",
    });
    const ariaLabel = `Blobs by ${columns.x} and ${columns.y}`;
    const axes = { x: options("x"), y: { ...options("y"), grid: true } };
    const plot = Plot.plot({ width, height, marginLeft: 56, ariaLabel, style: { background: "none" }, ...axes });
    scales = { x: plot.scale("x")!, y: plot.scale("y")! };
    const [[left, right], [bottom, top]] = axisNames.map((axis) => scales![axis].range as [number, number]);
    Object.assign(canvas.style, {
      left: `${(100 * left) / width}%`,
      top: `${(100 * top) / height}%`,
      width: `${(100 * (right - left)) / width}%`,
      height: `${(100 * (bottom - top)) / height}%`,
    });
    const size = {
      width: Math.round(devicePixelRatio * (right - left)),
      height: Math.round(devicePixelRatio * (bottom - top)),
    };
    chart = { ...size, ...nextScales, ...lookOf(values!.x.length, size) };
    const shape = brush()
      .touchable(false)
      .extent([
        [left, top],
        [right, bottom],
      ]);
    const group = select(plot).append("g").attr("class", "brush").attr("aria-hidden", "true").call(shape);
    shape.on("brush end", ({ selection, sourceEvent }) => {
      if (!sourceEvent) return;
      // A click pins a blob, and the brush stays.
      if (!selection) return showBrush();
      const corners = selection as readonly (readonly [number, number])[];
      const [x, y] = axisNames.map(
        (axis, k) => corners.map((corner) => scales![axis].invert!(corner[k])) as [number, number],
      );
      if (x[0] === x[1] || y[0] === y[1]) return;
      value = { x, y: [y[1], y[0]] };
      writeFields();
      node.dispatchEvent(new Event("input", { bubbles: true }));
    });
    shape.on("start.busy", ({ sourceEvent }) => (isBrushing = sourceEvent !== null));
    shape.on("end.busy", () => (isBrushing = false));
    showBrush = () => {
      const ends = (axis: AxisName) =>
        value![axis].map((end) => scales![axis].apply(clamp(end, ...nextScales[axis].domain)));
      if (!value) return shape.move(group, null);
      const [[x0, x1], [y1, y0]] = axisNames.map(ends);
      shape.move(group, [
        [x0, y0],
        [x1, y1],
      ]);
    };
    showBrush();
    marks = svg`<g></g>`;
    plot.append(marks);
    frame.replaceChildren(canvas, plot);
    drawMarks();
  };

  const drawMarks = () => {
    const positionOf = (blob: number) => axisNames.map((axis): number => scales![axis].apply(values![axis][blob]));
    const shown = [...new Set(marked)].filter(
      (blob): blob is number => blob !== null && positionOf(blob).every(Number.isFinite),
    );
    marks.replaceChildren(
      ...shown.map((blob) => {
        const [x, y] = positionOf(blob);
        const label = `blob ${blob}`;
        const circle = svg`<circle class="dot-mark" role="img" aria-label=${label} cx=${x} cy=${y} r="6"></circle>`;
        return linkThings(circle, thingName("blob", blob));
      }),
    );
    const texts = shown.map(
      (blob) => `blob ${blob}: ${axisNames.map((axis) => shortNumber(values![axis][blob])).join(", ")}`,
    );
    setText(note, texts[0] ?? "");
  };

  /** What is on the canvas: values of a table in a chart, unless a GPU drew them. */
  let drawn: { chart?: DotChart; values?: DotValues } = {};
  let isDrawing = false;
  let isStale = false;
  let isShown = false;
  const drawCanvas = async () => {
    isStale = true;
    if (isDrawing || !isShown || !chart) return;
    isDrawing = true;
    while (isStale) {
      isStale = false;
      const asked: DotChart = chart;
      const image = follows ? await run.dots(asked).catch(() => undefined) : undefined;
      const isSame = drawn.chart === chart && drawn.values === values;
      if (asked === chart && (image || !isSame)) {
        const { data, width, height } = image ?? drawDots(chart, values!);
        drawn = image ? {} : { chart, values };
        Object.assign(canvas, { width, height });
        canvas.getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
      }
    }
    isDrawing = false;
  };
  new IntersectionObserver((entries) => {
    isShown = entries.at(-1)!.isIntersecting;
    void drawCanvas();
  }).observe(frame);
  void updateWhileShown(run, node, () => void drawCanvas());

  const writeFields = () => {
    for (const axis of axisNames)
      for (const [end, field] of fields[axis].entries()) {
        const limit = value?.[axis][end];
        field.value = Number.isFinite(limit) ? shortNumber(limit!) : "";
      }
  };
  function readFields({ target }: Event) {
    if (!(target instanceof HTMLInputElement)) return;
    const limits = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const [x, y] = axisNames.map((axis) =>
      fields[axis].map((field, end) => (field.value === "" ? limits[end] : field.valueAsNumber)),
    ) as [number, number][];
    value = [...x, ...y].some(Number.isFinite) ? { x, y } : null;
    showBrush();
  }

  const position = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [((clientX - left) / width) * chart!.width, ((clientY - top) / height) * chart!.height];
  };
  frame.onpointermove = frame.onpointerdown = (event) => {
    if (!chart || !values || isBrushing) return;
    const blob = nearestDot(chart, values, position(event), reach * devicePixelRatio);
    pointAt(...(blob === undefined ? [] : [thingName("blob", blob)]));
  };
  frame.onpointerleave = ({ pointerType }) => pointerType === "mouse" && pointAt();

  Object.defineProperty(node, "value", {
    get: () => value,
    set(next: DotRange | null) {
      value = next;
      writeFields();
      showBrush();
    },
  });
  return Object.assign(node, {
    show(parameters: Table, isLatest: boolean) {
      values = valuesOf(parameters, columns);
      follows = isLatest;
      drawAxes();
      drawMarks();
      void drawCanvas();
    },
    mark(...blobs: (number | null)[]) {
      marked = blobs;
      if (scales) drawMarks();
    },
  });
}

/** Returns the blobs of a table in the brushed range of a chart; undefined without a range. */
export function brushedBlobs(
  parameters: Table,
  columns: Pick<DotOptions, AxisName>,
  range: DotRange | null,
): Uint32Array | undefined {
  return range ? blobsIn(valuesOf(parameters, columns), range) : undefined;
}

function valuesOf(parameters: Table, { x, y }: Pick<DotOptions, AxisName>): DotValues {
  const column = (name: string): Float32Array => parameters.getChild(name)!.toArray();
  return {
    x: column(x),
    y: column(y),
    colors: [column("red_decoded"), column("green_decoded"), column("blue_decoded")],
  };
}

function rangeField(label: string): HTMLInputElement {
  return html<HTMLInputElement>`<input type="number" step="any" aria-label=${label}>`;
}

/** Returns a rounded domain of a scale that contains all values; on a log scale, all positive ones. */
function niceDomain(values: ArrayLike<number>, isLog: boolean): [number, number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    if (isLog && values[i] <= 0) continue;
    if (values[i] < least) least = values[i];
    if (values[i] > greatest) greatest = values[i];
  }
  if (least > greatest) return isLog ? [0.1, 1] : [0, 1];
  if (least === greatest) return isLog ? [least / 2, 2 * least] : [least - 0.5, least + 0.5];
  // Whole decades would leave much of a log scale empty.
  if (isLog) return [roundedDigit(least, Math.floor), roundedDigit(greatest, Math.ceil)];
  return Plot.scale({ x: { domain: [least, greatest], nice: true } }).domain as [number, number];
}

/** Returns a positive number rounded to one digit. */
function roundedDigit(value: number, round: (value: number) => number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return round(value / unit) * unit;
}

/** Returns the dots' radius and opacity: the more blobs, the smaller and the more transparent. */
function lookOf(
  blobs: number,
  { width, height }: { width: number; height: number },
): Pick<DotChart, "radius" | "alpha"> {
  const radius = devicePixelRatio * (blobs <= 2000 ? 2.5 : blobs <= 50_000 ? 1.5 : 1);
  const layers = (blobs * Math.PI * radius ** 2) / (width * height);
  return { radius, alpha: clamp(1.5 / layers, 0.02, 0.85) };
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
