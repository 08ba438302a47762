import * as Plot from "@observablehq/plot";
import { count } from "../format.js";
import { plainChart } from "../plainChart.js";
import { logTicks, logTickText } from "../runs/runLines.js";
import type { Anchors } from "./anchors.js";
import type { Progress } from "./qualityFacts.js";
import { anchorMark } from "./rowMarks.js";

type Point = Anchors["measured"]["points"][number];

/**
 * Decibels against the time of training, a line for each number of blobs, which stands at its end.
 * @param rival another's program on the same picture
 */
export function secondsChart(title: string, lines: Progress[], note: string, rival?: Anchors["measured"]): HTMLElement {
  const others = rival?.points ?? [];
  const points = [...lines.flatMap((line) => line.points), ...others].filter(({ seconds }) => seconds > 0);
  const times = points.map(({ seconds }) => seconds);
  const [low, high] = [Math.min(...times), Math.max(...times)];
  return plainChart(
    title,
    400,
    (frame) => {
      const nameOf = (who: string | undefined, blobs: number) =>
        who === undefined || frame.width < 480 ? count(blobs) : `${who}, ${count(blobs)}`;
      // To the right of a line's end there may be another's points.
      const place = rival ? above : right;
      const ticks = logTicks(low, high);
      const powers = ticks.filter((tick) => Number.isInteger(Math.log10(tick)));
      return Plot.plot({
        ...frame,
        marginLeft: 48,
        marginRight: 62,
        marginBottom: 42,
        marginTop: 26,
        insetTop: 8,
        style: { fontSize: "12px" },
        ariaLabel: "PSNR against seconds of training, by number of blobs",
        x: {
          type: "log",
          label: "training, seconds →",
          domain: [low, high],
          ticks: frame.width < 480 && powers.length > 1 ? powers : ticks,
          tickFormat: logTickText,
        },
        y: { label: "↑ PSNR, dB", grid: true },
        marks: [
          lines.map(({ points, blobs }) => [
            Plot.lineY(points, { x: "seconds", y: "psnr", stroke: "var(--current)", strokeWidth: 2 }),
            Plot.text(points.slice(-1), {
              x: "seconds",
              y: "psnr",
              text: () => nameOf(rival && "splatbook", blobs),
              ...place,
              fill: "var(--current)",
              fontWeight: 600,
            }),
          ]),
          Plot.lineY(others, {
            x: "seconds",
            y: "psnr",
            z: "blobs",
            stroke: anchorMark.color,
            strokeDasharray: "4 4",
          }),
          Plot.dot(others, {
            x: "seconds",
            y: "psnr",
            stroke: anchorMark.color,
            symbol: anchorMark.symbol,
            r: 4.5,
            strokeWidth: 1.75,
            fill: "var(--theme-background)",
          }),
          Plot.text(lastOf(others), {
            x: "seconds",
            y: "psnr",
            text: ({ blobs }: Point) => nameOf(rival?.who, blobs),
            ...above,
            fill: anchorMark.color,
            fontWeight: 600,
          }),
        ],
      });
    },
    note,
  );
}

const above = { textAnchor: "end", dx: 4, dy: -14 } as const;
const right = { textAnchor: "start", dx: 6 } as const;

/** The last point of each number of blobs. */
function lastOf(points: Point[]): Point[] {
  return points.filter(({ blobs }, i) => !points.slice(i + 1).some((later) => later.blobs === blobs));
}
