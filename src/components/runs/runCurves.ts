import { element } from "../element.js";
import { chartHeight } from "../liveChart.js";
import { type PlainChart, plainChart } from "../plainChart.js";
import type { Curve } from "./curve.js";
import { lineSwatch } from "./lineSwatch.js";
import { type Against, type Quantity, runLines } from "./runLines.js";
import { runStyle } from "./runStyle.js";

/** A recorded run's curve, by the name under which it is known. */
export interface NamedCurve extends Curve {
  name: string;
}

/** What charts of recorded runs show; they read it whenever they are drawn. */
export interface CurvesView {
  /** Each has the style of its place. */
  runs: readonly NamedCurve[];
  against: Against;
  /** The name of the run that stands out. */
  highlighted?: string;
}

const titles: Record<Quantity, string> = {
  psnr: "How near: PSNR",
  loss: "What is minimised: the loss",
};

/** Loss or PSNR of recorded runs, a line a run; `refresh` draws what the view has become. */
export function runCurves(quantity: Quantity, view: () => CurvesView): PlainChart {
  return plainChart(titles[quantity], chartHeight, (frame) => {
    const { runs, against, highlighted } = view();
    const lines = runs.map(({ name, points }, i) => {
      const isHighlighted = highlighted === undefined ? undefined : name === highlighted;
      return { name, points, hasDot: isHighlighted, ...runStyle(i, isHighlighted) };
    });
    // The one to look at is drawn last, over the others.
    const ordered = lines.toSorted((a, b) => Number(a.hasDot ?? false) - Number(b.hasDot ?? false));
    return runLines(ordered, quantity, against, frame, true);
  });
}

/** Which line is which of several runs. */
export function runKey(names: readonly string[]): HTMLElement {
  return element(
    "ul",
    { class: "run-lines" },
    ...names.map((name, i) => element("li", {}, lineSwatch(runStyle(i)), name)),
  );
}
