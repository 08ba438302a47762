import * as Plot from "@observablehq/plot";
import { count } from "../format.js";
import type { ChartFrame } from "../liveChart.js";
import { plainChart } from "../plainChart.js";
import { logTicks } from "../runs/runLines.js";
import { groupBy } from "./groupBy.js";
import type { Mean, Series } from "./qualityFacts.js";
import { anchorMark, rowMark } from "./rowMarks.js";

const margins = { top: 26, bottom: 42 };
const insetTop = 10;

/** A number of a row, along an axis. */
interface Axis {
  label: string;
  of: (mean: Mean) => number;
}

/** What another reached: a point, or a span. */
export interface AnchorPoint {
  /** Its number in the table, from 1. */
  number: number;
  name: string;
  x: number;
  y: number[];
}

/** How rows grow with the number of blobs: x logarithmic, a line a row. */
interface SizesChart {
  title: string;
  series: Series[];
  x: Axis;
  y: Axis;
  /** Where y begins and ends; where its values do, if absent. */
  yDomain?: number[];
  /** How y runs; linear if absent. */
  yScale?: Plot.ScaleOptions;
  anchors?: AnchorPoint[];
  /** Whether the dots are named by their number of blobs, where x is something else. */
  named?: boolean;
  note?: string;
}

export function sizesChart({ title, series, x, y, yDomain, yScale, anchors = [], named = false, note }: SizesChart) {
  const height = anchors.length > 0 ? 400 : 300;
  return plainChart(
    title,
    height,
    (frame) => {
      const all = series.flatMap(({ means }) => means.map(x.of)).filter((value) => value > 0);
      const isNarrow = frame.width < 640;
      const domain =
        yDomain ??
        domainOf([...series.flatMap(({ means }) => means.map(y.of)), ...anchors.flatMap((anchor) => anchor.y)]);
      const [low, high] = yScale?.type === "log" ? domain.map(Math.log) : domain;
      const place = (value: number) => (yScale?.type === "log" ? Math.log(value) : value);
      const pixelOf = (value: number) =>
        ((place(value) - high) / (low - high)) * (height - margins.top - margins.bottom - insetTop);
      const names = series.map(({ means }) => labelAt(pixelOf(y.of(means.at(named ? -1 : 0)!))));
      spread(names);
      const across = [...all, ...anchors.map((anchor) => anchor.x)];
      return Plot.plot({
        ...frame,
        marginLeft: 56,
        marginRight: anchors.length > 0 && !isNarrow ? 172 : named ? 58 : 34,
        marginBottom: margins.bottom,
        marginTop: margins.top,
        insetTop,
        insetLeft: named ? 8 : 62,
        style: { fontSize: "12px" },
        ariaLabel: `${y.label} against ${x.label}`,
        x: {
          type: "log",
          label: x.label,
          grid: true,
          tickFormat: shortNumber,
          ticks: ticksFor(frame, Math.min(...across), Math.max(...across)),
        },
        y: { label: y.label, grid: true, domain, ...yScale },
        marks: [
          anchorMarks(anchors, isNarrow, pixelOf),
          series.map(({ row, means }, i) => {
            const { color, symbol } = rowMark(row);
            return [
              Plot.lineY(means, { x: x.of, y: y.of, stroke: color, strokeWidth: 2 }),
              Plot.dot(means, {
                x: x.of,
                y: y.of,
                fill: color,
                symbol,
                r: 4,
                channels: { blobs: { value: "blobs", label: "blobs" } },
                tip: { format: { x: shortNumber, y: true, blobs: count } },
              }),
              named
                ? Plot.text(means, {
                    x: x.of,
                    y: y.of,
                    text: ({ blobs }: Mean) => shortNumber(blobs),
                    dy: row === "quality" ? -13 : 14,
                    fill: color,
                  })
                : [],
              Plot.text(named ? means.slice(-1) : means.slice(0, 1), {
                x: x.of,
                y: y.of,
                text: () => row,
                textAnchor: named ? "start" : "end",
                dx: named ? 9 : -9,
                dy: names[i].at - names[i].wanted,
                fill: color,
                fontWeight: 600,
              }),
            ];
          }),
        ],
      });
    },
    note,
  );
}

/** Pixels between names, at least. */
const lineHeight = 14;

/**
 * Points with their names, those at both ends to the right of them, the others to the left, moved up and down until
 * none covers another. Where there is little room, they have their number in the table in place of their name.
 * @param pixelOf the place of a value on the vertical axis, from the top
 */
function anchorMarks(anchors: AnchorPoint[], isNarrow: boolean, pixelOf: (y: number) => number): Plot.Markish {
  const { color, symbol } = anchorMark;
  const [leftmost, rightmost] = [Math.min(...anchors.map(({ x }) => x)), Math.max(...anchors.map(({ x }) => x))];
  const isRight = (x: number) => x === rightmost || x === leftmost;
  const labels = anchors.map(({ number, name, x, y }) => {
    const middle = (y[0] + y.at(-1)!) / 2;
    return { text: isNarrow ? String(number) : name, x, y: middle, ...labelAt(pixelOf(middle)) };
  });
  for (const side of groupBy(labels, ({ x }) => x).values()) spread(side);
  return [
    Plot.ruleX(
      anchors.filter(({ y }) => y.length > 1),
      { x: "x", y1: ({ y }: AnchorPoint) => y[0], y2: ({ y }: AnchorPoint) => y[1], stroke: color, strokeWidth: 1.5 },
    ),
    Plot.dot(
      anchors.flatMap(({ x, y }) => y.map((value) => ({ x, y: value }))),
      { x: "x", y: "y", stroke: color, symbol, r: 4, strokeWidth: 1.5, fill: "var(--theme-background)" },
    ),
    labels.map((label) =>
      Plot.text([label], {
        x: "x",
        y: "y",
        text: "text",
        textAnchor: isRight(label.x) ? "start" : "end",
        dx: isRight(label.x) ? 9 : -9,
        dy: label.at - label.wanted,
        fill: color,
      }),
    ),
  ];
}

/** Where a label would stand, and where it does, in pixels from the top. */
interface Label {
  wanted: number;
  at: number;
}

function labelAt(wanted: number): Label {
  return { wanted, at: wanted };
}

/** Moves labels apart, from the top down, and the whole of them back to where they want to be on average. */
function spread(labels: Label[]): void {
  const sorted = labels.toSorted((a, b) => a.wanted - b.wanted);
  for (const [i, label] of sorted.entries()) {
    if (i > 0) label.at = Math.max(label.wanted, sorted[i - 1].at + lineHeight);
  }
  const off = sorted.reduce((sum, { at, wanted }) => sum + at - wanted, 0) / sorted.length;
  for (const label of sorted) label.at -= off;
}

function domainOf(values: number[]): number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.06 * (high - low || 1);
  return [low - room, high + room];
}

function ticksFor({ width }: ChartFrame, low: number, high: number): number[] {
  const ticks = logTicks(low, high);
  const powers = ticks.filter((tick) => Number.isInteger(Math.log10(tick)));
  return width < 480 && ticks.length > 5 && powers.length > 1 ? powers : ticks;
}

function shortNumber(value: number): string {
  if (value < 1000) return String(Number(value.toPrecision(3)));
  return `${Number((value / 1000).toPrecision(3))}\u200ak`;
}
