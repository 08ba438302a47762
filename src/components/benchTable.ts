import type { BenchResult } from "../engine/benchResult.js";
import { element } from "./element.js";

const iterations = 10_000;

/** A benchmark as `splatbook bench --json` recorded it: a row a pipeline, and below it where that was. */
export function benchTable({ measurements, config, image, adapter, host, date }: BenchResult): HTMLElement {
  const cell = (text: string) => element("td", {}, text);
  const rows = measurements.map(({ pipeline, median, min, max, steps, psnr }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, pipeline),
      cell(`${median.toPrecision(3)} ms`),
      cell(`${min.toPrecision(3)}–${max.toPrecision(3)} ms`),
      cell(Math.round(1000 / median).toLocaleString("en-US")),
      cell(`${((iterations * median) / 1000).toPrecision(2)} s`),
      cell(`${psnr.toFixed(2)} dB after ${steps} steps`),
    ),
  );
  const heads = ["pipeline", "a step, median", "rounds", "steps a second", "10,000 steps at that rate", "PSNR"];
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const job = `${config.blobs.toLocaleString("en-US")} blobs on ${image.width} × ${image.height} pixels, tiles of ${config.tile.join(" × ")}, GAUSSIANS_PER_BLOCK ${config.gaussiansPerBlock}`;
  const caption = element("figcaption", {}, `${job}. Recorded on ${date.slice(0, 10)}: ${adapter ?? host}.`);
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  return element("figure", { class: "bench-table" }, table, caption);
}
