import * as Plot from "@observablehq/plot";
import { explain } from "./terms.js";

// Observable Plot, as the pages of this site have it.

export * from "@observablehq/plot";

/** Returns `Plot.plot` with its words explained and its marks labelled. */
export function plot(options?: Plot.PlotOptions): ReturnType<typeof Plot.plot> {
  return explain(labelMarks(Plot.plot(options)));
}

/** Gives the marks of a chart that have a label a role, without which browsers pass over the label. */
export function labelMarks<E extends Element>(chart: E): E {
  for (const mark of chart.querySelectorAll("[aria-label]:not([role])"))
    mark.role = mark.localName === "g" ? "group" : "img";
  return chart;
}

/** Returns `Plot.legend` with its words explained. */
export function legend(options: Plot.LegendOptions): ReturnType<typeof Plot.legend> {
  return explain(Plot.legend(options));
}
