import * as Plot from "@observablehq/plot";
import type { BenchResult } from "../engine/benchResult.js";
import type { Peak } from "../engine/pipeline.js";
import { stageWork } from "../engine/work.js";
import { element } from "./element.js";
import { inWords, percent, prefixed, time } from "./format.js";
import { plainChart } from "./plainChart.js";
import { logTicks } from "./runLines.js";

/** A stage of the binned pipeline: what it does, what that takes, and in which time. */
interface StagePoint {
  stage: string;
  milliseconds: number;
  operations: number;
  bytes: number;
  /** Operations a byte. */
  intensity: number;
  operationsPerSecond: number;
  bytesPerSecond: number;
}

/** The stages of a benchmark's binned pipeline, with their work; undefined where it does not tell all that is needed. */
function stagesOf({ measurements, image, config }: BenchResult): StagePoint[] | undefined {
  const measured = measurements.find(({ pipeline }) => pipeline === "binned");
  if (!measured?.stageTimes || !measured.pairs) return undefined;
  const { entries, blended } = measured.pairs;
  const [tileWidth, tileHeight] = measured.listTile;
  const work = stageWork({
    blobs: config.blobs,
    pixels: image.width * image.height,
    entries,
    blended,
    tilePixels: tileWidth * tileHeight,
  });
  return Object.entries(measured.stageTimes).map(([stage, milliseconds]) => {
    const { operations, bytes } = work[stage] ?? { operations: 0, bytes: 0 };
    const perSecond = (amount: number) => (1000 * amount) / milliseconds;
    const rates = { operationsPerSecond: perSecond(operations), bytesPerSecond: perSecond(bytes) };
    return { stage, milliseconds, operations, bytes, intensity: operations / bytes, ...rates };
  });
}

/** What a step has to do at least, in two numbers, and how long that would take at the adapter's peaks. */
export function stepCost(result: BenchResult): HTMLElement {
  const { peak } = result;
  const stages = stagesOf(result);
  if (!peak || !stages) return unknown();
  const sum = (amount: (point: StagePoint) => number) => stages.reduce((total, point) => total + amount(point), 0);
  const operations = sum((point) => point.operations);
  const bytes = sum((point) => point.bytes);
  const number = (value: string, text: string) =>
    element("div", { class: "cost" }, element("strong", {}, value), element("span", {}, text));
  const computing = (500 * operations) / peak.multiplyAddsPerSecond;
  const moving = (1000 * bytes) / peak.bytesPerSecond;
  return element(
    "div",
    { class: "costs" },
    number(`${inWords(operations)} operations`, `${time(computing)} at the measured peak of multiply-adds`),
    number(`${prefixed(bytes)}B`, `${time(moving)} at the measured rate of a copy`),
    number(time(sum(({ milliseconds }) => milliseconds)), "in the kernels of binned, which do it"),
  );
}

function unknown(): HTMLElement {
  return element(
    "p",
    { class: "unknown" },
    "This record tells neither peak nor pairs, so these numbers are not known.",
  );
}

/** Where each stage of binned lies below what the adapter can do; and the numbers under it. */
export function roofline(result: BenchResult): HTMLElement {
  const { peak } = result;
  const stages = stagesOf(result);
  if (!peak || !stages) return unknown();
  const chart = plainChart(
    "Each stage of binned below the adapter's roof",
    340,
    (frame) => rooflineChart(frame, peak, stages),
    `The slope is the rate of a copy in memory, ${prefixed(peak.bytesPerSecond)}B a second, the level that of multiply-adds. What fits into a cache may lie above the slope.`,
  );
  return element("div", {}, chart, stageTable(stages, peak));
}

function rooflineChart(frame: { width: number; height: number }, peak: Peak, stages: StagePoint[]) {
  const top = 2 * peak.multiplyAddsPerSecond;
  const ridge = top / peak.bytesPerSecond;
  const computing = stages.filter(({ operations }) => operations > 0);
  const low = Math.min(0.1, ...computing.map(({ intensity }) => intensity / 2));
  const high = Math.max(10 * ridge, ...computing.map(({ intensity }) => 2 * intensity));
  const roof = [low, ridge, high].map((intensity) => ({
    intensity,
    rate: Math.min(intensity * peak.bytesPerSecond, top),
  }));
  const rates = computing.map(({ operationsPerSecond }) => operationsPerSecond);
  const domain = [Math.min(roof[0].rate, ...rates) / 3, 2 * top];
  const short = (value: number) => (value < 1 ? String(value) : prefixed(value).trim());
  return Plot.plot({
    ...frame,
    marginLeft: 56,
    marginRight: 28,
    marginBottom: 42,
    marginTop: 26,
    style: { fontSize: "12px" },
    ariaLabel: "Operations a second of each stage against its operations a byte, below the measured peaks",
    x: {
      type: "log",
      label: "operations a byte →",
      domain: [low, high],
      tickFormat: short,
      ticks: logTicks(low, high),
    },
    y: {
      type: "log",
      label: "↑ operations a second",
      domain,
      grid: true,
      tickFormat: short,
      ticks: logTicks(domain[0], domain[1]),
    },
    marks: [
      Plot.lineY(roof, { x: "intensity", y: "rate", stroke: "currentColor", strokeWidth: 2 }),
      Plot.text(roof.slice(-1), {
        x: "intensity",
        y: "rate",
        text: () => `${inWords(top)} operations a second`,
        textAnchor: "end",
        dy: -10,
      }),
      Plot.dot(computing, { x: "intensity", y: "operationsPerSecond", fill: "var(--current)", r: 5 }),
      Plot.text(computing, {
        x: "intensity",
        y: "operationsPerSecond",
        text: "stage",
        textAnchor: "end",
        dx: -9,
        fill: "var(--current)",
        fontWeight: 600,
      }),
    ],
  });
}

function stageTable(stages: StagePoint[], peak: Peak): HTMLElement {
  const heads = ["stage", "time", "operations", "bytes", "of the peak", "of the copy's rate"];
  const sum = (amount: (point: StagePoint) => number) => stages.reduce((total, point) => total + amount(point), 0);
  const milliseconds = sum((point) => point.milliseconds);
  const whole = { operations: sum(({ operations }) => operations), bytes: sum(({ bytes }) => bytes) };
  const row = (name: string, milliseconds: number, { operations, bytes }: { operations: number; bytes: number }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...[
        time(milliseconds),
        operations > 0 ? prefixed(operations).trim() : "–",
        bytes > 0 ? `${prefixed(bytes)}B` : "–",
        operations > 0 ? percent((500 * operations) / milliseconds / peak.multiplyAddsPerSecond) : "–",
        bytes > 0 ? percent((1000 * bytes) / milliseconds / peak.bytesPerSecond) : "–",
      ].map((text) => element("td", {}, text)),
    );
  return element(
    "div",
    { class: "wide" },
    element(
      "table",
      { class: "stage-table" },
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element(
        "tbody",
        {},
        ...stages.map((point) => row(point.stage, point.milliseconds, point)),
        row("a step", milliseconds, whole),
      ),
    ),
  );
}
