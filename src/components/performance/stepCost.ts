import type { BenchResult } from "../../engine/benchResult.js";
import { element } from "../element.js";
import { inWords, prefixed, time } from "../format.js";
import { type StagePoint, stagesOf, unknownWork } from "./stagePoints.js";

/** What a step has to do at least, in two numbers, and how long that would take at the adapter's peaks. */
export function stepCost(result: BenchResult): HTMLElement {
  const { peak } = result;
  const stages = stagesOf(result);
  if (!peak || !stages) return unknownWork();
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
