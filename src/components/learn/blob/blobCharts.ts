import type { Blob } from "../../../engine/model/blob.js";
import { deviations } from "../../../engine/model/bounds.js";
import * as Plot from "../../figures/plot.js";
import { cssColor } from "../../figures/swatch.js";
import { counted } from "../../page/format.js";
import { colorOf } from "../pixelStack.js";
import { alphaByDistance, type BlobPixel, type lossCurve, type ParameterAxis } from "./blobModel.js";

const layout = { marginLeft: 48, marginBottom: 38, marginTop: 24, style: { fontSize: "12px" } };

/** Returns a chart of a blob's α by the distance from its centre, with one pixel. */
export function alphaChart(blob: Blob, pixel: BlobPixel, width: number): Element {
  const curve = alphaByDistance(blob);
  const [low, high] = [curve[0].distance, curve[curve.length - 1].distance];
  return Plot.plot({
    ...layout,
    width,
    height: 190,
    ariaLabel: "α by the distance from the centre",
    x: { label: "distance from the centre, in σ →", domain: [low, high], ticks: 5 },
    y: { label: "↑ α", domain: [0, 1], ticks: 4, grid: true },
    marks: [
      Plot.areaY(curve, { x: "distance", y: "alpha", fill: cssColor(colorOf(blob)), fillOpacity: 0.35 }),
      Plot.lineY(curve, { x: "distance", y: "alpha", strokeWidth: 1.5 }),
      Plot.ruleX([deviations], { strokeDasharray: "3 3" }),
      Plot.text([deviations], {
        x: (edge) => edge,
        frameAnchor: "top",
        text: () => "edge of the support",
        textAnchor: "end",
        dx: -5,
        dy: 4,
      }),
      Plot.dot(pixel.distance === undefined ? [] : [pixel], {
        x: "distance",
        y: "alpha",
        r: 5,
        fill: "var(--current)",
        stroke: "var(--theme-background)",
      }),
    ],
  });
}

/** Returns a chart of the loss along one parameter, with the slope at its value as a tangent. */
export function slopeChart(
  { name }: ParameterAxis,
  curve: ReturnType<typeof lossCurve>,
  at: { value: number; loss: number; slope: number },
  width: number,
): Element {
  const [first, last] = [curve[0].value, curve[curve.length - 1].value];
  const reach = 0.16 * (last - first);
  const tangent = [-reach, reach].map((offset) => ({ value: at.value + offset, loss: at.loss + at.slope * offset }));
  const losses = curve.map(({ loss }) => loss);
  const [lowest, highest] = [Math.min(...losses), Math.max(...losses)];
  const margin = 0.12 * (highest - lowest);
  return Plot.plot({
    ...layout,
    width,
    height: 230,
    ariaLabel: `The loss along ${name}, with its slope at the current value`,
    x: { label: `${name} →`, domain: [first, last], ticks: 6 },
    y: { label: "↑ loss L", domain: [lowest - margin, highest + margin], ticks: 5, grid: true },
    marks: [
      Plot.lineY(curve, { x: "value", y: "loss", strokeWidth: 1.5 }),
      Plot.line(tangent, { x: "value", y: "loss", stroke: "var(--current)", strokeWidth: 3, clip: true }),
      Plot.dot([at], { x: "value", y: "loss", r: 5, fill: "var(--current)", stroke: "var(--theme-background)" }),
    ],
  });
}

/** Returns a chart of the loss before each step, and now. */
export function lossChart(losses: readonly number[], loss: number, width: number): Element {
  const rows = [...losses, loss].map((value, step) => ({ step, loss: value }));
  return Plot.plot({
    ...layout,
    width,
    height: 190,
    ariaLabel: `The loss over ${counted(losses.length, "step")}`,
    x: { label: "step →", domain: [0, Math.max(losses.length, 10)], ticks: 5, tickFormat: "d" },
    y: { label: "↑ loss L", domain: [0, 1.1 * Math.max(...rows.map((row) => row.loss))], ticks: 4, grid: true },
    marks: [
      Plot.lineY(rows, { x: "step", y: "loss", strokeWidth: 1.5 }),
      Plot.dot(rows.slice(-1), { x: "step", y: "loss", r: 5, fill: "var(--current)" }),
    ],
  });
}
