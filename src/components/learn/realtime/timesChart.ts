import * as Plot from "@observablehq/plot";
import type { Program } from "../../../engine/realtime/programs.js";
import { pipelineMark } from "../../pipelineMarks.js";
import { type PlainChart, plainChart } from "../../plainChart.js";
import { articleTimes } from "./articleTimes.js";
import { secondsText } from "./wholeTime.js";

/** Seconds of 10,000 iterations of a program, and what bounds them. */
export interface TimedProgram {
  program: Program;
  seconds: number;
  low: number;
  high: number;
}

const rowHeight = 34;
const ticks: [seconds: number, text: string][] = [
  [0.01, "10 ms"],
  [0.1, "0.1 s"],
  [1, "1 s"],
  [10, "10 s"],
  [60, "1 min"],
  [600, "10 min"],
  [3600, "1 h"],
  [36_000, "10 h"],
  [360_000, "100 h"],
];

/**
 * The time of 10,000 iterations, a row a program, and below them what others report of machines of theirs.
 * @param shown the programs that have a row
 * @param times told anew each time that it is drawn
 */
export function timesChart(
  title: string,
  shown: () => readonly Program[],
  times: () => readonly TimedProgram[],
  note: string,
): PlainChart {
  const rows = articleTimes.length + 5;
  return plainChart(
    title,
    rowHeight * rows + 62,
    (frame) => {
      const measured = times();
      const all = [...measured.flatMap(({ low, high }) => [low, high]), ...articleTimes.map(({ seconds }) => seconds)];
      const domain = [Math.log10(Math.min(...all, 10) / 1.8), Math.log10(Math.max(...all) * 4)];
      const inside = ticks.filter(([seconds]) => domain[0] <= Math.log10(seconds) && Math.log10(seconds) <= domain[1]);
      const thinned = frame.width < 480 ? inside.filter((_, index) => index % 2 === 0) : inside;
      const label = ({ program }: TimedProgram) => program.title;
      const power = ({ seconds }: { seconds: number }) => Math.log10(seconds);
      const text = ({ seconds }: { seconds: number }) => secondsText(seconds);
      return Plot.plot({
        ...frame,
        marginLeft: 148,
        marginRight: 24,
        marginTop: 6,
        marginBottom: 42,
        style: { fontSize: "12px" },
        ariaLabel: "Time for 10,000 iterations, by program",
        x: {
          // Logarithms on a linear axis: on a logarithmic one, Plot labels powers of ten alone.
          label: "time for 10,000 iterations →",
          domain,
          grid: true,
          ticks: thinned.map(([seconds]) => Math.log10(seconds)),
          tickFormat: (power: number) => ticks.find(([tick]) => Math.log10(tick) === power)?.[1] ?? "",
        },
        y: {
          type: "band",
          domain: [...shown().map(({ title }) => title), ...articleTimes.map(({ label }) => label)],
          label: null,
          tickSize: 0,
          padding: 0.3,
        },
        marks: [
          Plot.ruleY([articleTimes[0]], {
            y: "label",
            dy: -rowHeight / 2,
            stroke: "currentColor",
            strokeOpacity: 0.35,
            strokeDasharray: "3 3",
          }),
          Plot.ruleY(measured, {
            x1: ({ low }: TimedProgram) => Math.log10(low),
            x2: ({ high }: TimedProgram) => Math.log10(high),
            y: label,
            stroke: ({ program }: TimedProgram) => pipelineMark(program.pipeline).color,
            strokeWidth: 3,
            strokeOpacity: 0.5,
          }),
          Plot.dot(measured, {
            x: power,
            y: label,
            r: 5.5,
            symbol: ({ program }: TimedProgram) => pipelineMark(program.pipeline).symbol,
            stroke: ({ program }: TimedProgram) => pipelineMark(program.pipeline).color,
            fill: ({ program }: TimedProgram) =>
              program.keepsStates ? "var(--theme-background)" : pipelineMark(program.pipeline).color,
            strokeWidth: 2,
          }),
          Plot.text(measured, {
            x: ({ high }: TimedProgram) => Math.log10(high),
            y: label,
            text,
            textAnchor: "start",
            dx: 12,
            fontWeight: 600,
          }),
          Plot.dot(articleTimes, { x: power, y: "label", r: 4.5, symbol: "diamond", stroke: "var(--earlier)" }),
          ...(["start", "end"] as const).map((textAnchor) =>
            Plot.text(
              articleTimes.filter(({ seconds }) => isRight(seconds, domain) === (textAnchor === "end")),
              {
                x: power,
                y: "label",
                text: ({ words }: { words: string }) => (frame.width < 480 ? words.replace(/,.*/, "") : words),
                textAnchor,
                dx: textAnchor === "end" ? -11 : 11,
                fill: "var(--theme-foreground-muted)",
              },
            ),
          ),
        ],
      });
    },
    note,
  );
}

function isRight(seconds: number, [low, high]: number[]): boolean {
  return Math.log10(seconds) - low > 0.55 * (high - low);
}
