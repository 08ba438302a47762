import type { BenchResult, Measurement } from "../../engine/benchResult.js";
import { duration } from "../../engine/duration.js";
import { element } from "../element.js";
import { count, counted, decibels, inWords, percent, prefixed, time } from "../format.js";

const iterations = 10_000;

/** A column: its head, and a measurement's cell; undefined where it was not measured. */
type Column = [head: string, cell: (measurement: Measurement) => string | undefined];

const columns: Column[] = [
  ["a step, median", ({ median }) => time(median)],
  ["rounds", ({ min, max }) => range(min, max)],
  ["steps a second", ({ median }) => count(1000 / median)],
  ["pairs a second", ({ pairs, pairsPerSecond }) => pairs && prefixed(pairsPerSecond).trim()],
  ["of the peak", ({ share }) => (share === undefined ? undefined : percent(share))],
  ["render from lists", ({ render }) => render && time(render.drawing)],
  ["render from parameters", ({ render }) => render && time(render.whole)],
  ["10,000 steps at that rate", ({ median }) => seconds((iterations * median) / 1000)],
  ["PSNR", ({ psnr, steps }) => `${decibels(psnr)} after ${count(steps)} steps`],
];

/** Two times, with one unit where they share it: "6.57 – 8.3 ms". */
function range(low: number, high: number): string {
  const [first, last] = [time(low), time(high)].map((text) => text.split(" "));
  return first[1] === last[1] ? `${first[0]} – ${last.join(" ")}` : `${first.join(" ")} – ${last.join(" ")}`;
}

function seconds(value: number): string {
  return value < 60 ? `${Number(value.toPrecision(2))} s` : duration(value);
}

/** A benchmark as `splatbook bench --json` recorded it: a row a pipeline, and below it where that was. */
export function benchTable(result: BenchResult): HTMLElement {
  const { measurements, config, image, adapter, host, date, peak } = result;
  const shown = columns.filter(([, cell]) => measurements.some((measurement) => cell(measurement) !== undefined));
  const rows = measurements.map((measurement) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, measurement.pipeline),
      ...shown.map(([, cell]) => element("td", {}, cell(measurement) ?? "–")),
    ),
  );
  const heads = ["pipeline", ...shown.map(([head]) => head)];
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const waits = measurements
    .filter(({ wait }) => wait !== undefined)
    .map(({ pipeline, wait, roundSteps }) => `${pipeline} ${time(wait)} in ${counted(roundSteps[0], "step")}`);
  const sentences = [
    `${count(config.blobs)} blobs on ${image.width} × ${image.height} pixels, tiles of ${config.tile.join(" × ")}, GAUSSIANS_PER_BLOCK ${config.gaussiansPerBlock}.`,
    peak &&
      `The peak, measured in the same run: ${inWords(2 * peak.multiplyAddsPerSecond)} operations a second in multiply-adds.`,
    waits.length > 0 && `A round waits besides its steps, and that is in the numbers: ${waits.join(", ")}.`,
    `Recorded on ${date.slice(0, 10)}: ${adapter ?? host}.`,
  ];
  const caption = element("figcaption", {}, sentences.filter(Boolean).join(" "));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  return element("figure", { class: "bench-table" }, element("div", { class: "wide" }, table), caption);
}
