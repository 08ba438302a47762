import * as Plot from "@observablehq/plot";
import { explain } from "./terms.js";

// Observable Plot for the pages of this site.

export * from "@observablehq/plot";

/** Returns `Plot.plot` with its terms explained and roles on its labelled marks. */
export function plot(options?: Plot.PlotOptions): ReturnType<typeof Plot.plot> {
  return explain(labelMarks(Plot.plot(options)));
}

/** Sets a role on the labelled marks of a chart: without one, browsers ignore the label. */
export function labelMarks<E extends Element>(chart: E): E {
  for (const mark of chart.querySelectorAll("[aria-label]:not([role])"))
    mark.role = mark.localName === "g" ? "group" : "img";
  return chart;
}

/** Returns `Plot.legend` with its terms explained. */
export function legend(options: Plot.LegendOptions): ReturnType<typeof Plot.legend> {
  return explain(Plot.legend(options));
}
