import type { Peak } from "../../engine/pipeline.js";
import { element } from "../element.js";
import { percent, prefixed, time } from "../format.js";
import type { StagePoint } from "./stagePoints.js";

/** The same stages in numbers, and the whole step. */
export function stageTable(stages: StagePoint[], peak: Peak): HTMLElement {
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
