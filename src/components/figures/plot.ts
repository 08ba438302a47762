import * as Plot from "@observablehq/plot";

// Observable Plot for the pages of this site.

export * from "@observablehq/plot";

/** Returns `Plot.plot` with roles on its labelled marks. */
export function plot(options?: Plot.PlotOptions): ReturnType<typeof Plot.plot> {
  return labelMarks(Plot.plot(options));
}

/** Sets a role on a labelled chart without links and on its labelled marks: without one, browsers ignore the label. */
export function labelMarks<E extends Element>(chart: E): E {
  if (chart.matches("svg[aria-label]:not(:has(a))")) chart.role = "img";
  for (const mark of chart.querySelectorAll("[aria-label]:not([role])"))
    mark.role = mark.localName === "g" ? "group" : "img";
  return chart;
}
