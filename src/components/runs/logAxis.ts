import * as Plot from "@observablehq/plot";
import { tickText } from "../page/numberText.js";

/** Returns an axis mark with a text at each tick of a logarithmic scale; Plot's axis omits some. */
export function logAxis(side: "x" | "y", ticks: number[]): Plot.Markish {
  const text = tickText as (tick: unknown) => string;
  return side === "x" ? Plot.axisX(ticks, { text }) : Plot.axisY(ticks, { text });
}
