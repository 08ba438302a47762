import * as Plot from "@observablehq/plot";

// Observable Plot for the pages of this site.

export * from "@observablehq/plot";

/** Returns `Plot.plot` with roles on its labelled marks. */
export function plot(options?: Plot.PlotOptions): ReturnType<typeof Plot.plot> {
  return labelMarks(Plot.plot(options));
}

/** Sets a role on the labelled marks of a chart: without one, browsers ignore the label. */
export function labelMarks<E extends Element>(chart: E): E {
  for (const mark of chart.querySelectorAll("[aria-label]:not([role])"))
    mark.role = mark.localName === "g" ? "group" : "img";
  return chart;
}
