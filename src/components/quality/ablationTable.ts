import { element } from "../element.js";
import { count, signed } from "../format.js";
import { type Ablation, picturesOf, type Step } from "./qualityFacts.js";

/** The rows of the ablation in numbers: means, and below them each picture. */
export function ablationTable({ ladder, without }: Ablation): HTMLElement | string {
  if (ladder.length === 0) return "";
  const all = [...ladder, ...without];
  const heads = ["", "PSNR, dB", "gained, dB", "training, s", "MS-SSIM", "bits a pixel"];
  const rowOf = (step: Step) =>
    element(
      "tr",
      { "data-part": step.part },
      element("th", { scope: "row" }, step.row),
      ...[
        step.psnr.toFixed(2),
        signed(step.gain),
        seconds(step.seconds),
        similarity(step.msSsim),
        Number.isFinite(step.bitsPerPixel) ? step.bitsPerPixel.toPrecision(3) : "–",
      ].map((text) => element("td", {}, text)),
    );
  const group = (title: string, steps: Step[]) =>
    steps.length > 0 && [
      element("tr", { class: "group" }, element("th", { scope: "rowgroup", colspan: heads.length }, title)),
      ...steps.map(rowOf),
    ];
  const rows = [
    ...(group("from the seed preset, one ingredient more in each row", ladder) || []),
    ...(group(`without one of them: compared with “${ladder.at(-1)?.row}”`, without) || []),
  ];
  return element(
    "div",
    {},
    element(
      "div",
      { class: "wide" },
      element("table", { class: "ablation" }, headOf(heads), element("tbody", {}, ...rows)),
    ),
    element(
      "details",
      { class: "each-picture" },
      element("summary", {}, `PSNR of each of the ${count(picturesOf(all).length)} pictures`),
      element("div", { class: "wide" }, pictureTable(all)),
    ),
  );
}

function pictureTable(steps: Step[]): HTMLElement {
  const rows = steps.map(({ row, runs }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, row),
      ...runs.map(({ psnr }) => element("td", {}, psnr.toFixed(2))),
    ),
  );
  return element("table", {}, headOf(["dB", ...picturesOf(steps)]), element("tbody", {}, ...rows));
}

function headOf(texts: string[]): HTMLElement {
  return element("thead", {}, element("tr", {}, ...texts.map((text) => element("th", { scope: "col" }, text))));
}

function seconds(value: number): string {
  return Number.isFinite(value) ? value.toPrecision(3) : "–";
}

/** MS-SSIM with as many digits as tell it from 1. */
export function similarity(value: number): string {
  return Number.isFinite(value) ? value.toFixed(4) : "–";
}
