import { rawNames } from "../../../engine/model/blobs.js";
import { figure } from "../../figures/figure.js";
import { plainChart } from "../../figures/plainChart.js";
import { count } from "../../page/format.js";
import { outputChart } from "./adjointCharts.js";
import { steepestInput } from "./differenceErrors.js";
import { checkSlopes } from "./differences.js";
import type { StageAdjoint } from "./stageAdjoint.js";

/** The step of the differences, in units of each input. */
const h = 1e-5;

/** Returns a chart of the loss of a pixel along the raw parameter with the largest gradient, with the gradient as its slope. */
export function slopeFigure(adjoint: StageAdjoint): HTMLElement {
  const { at, backward, incoming, sample } = adjoint;
  const adjoints = backward(at, incoming);
  const input = steepestInput(adjoints);
  const slopes = checkSlopes(adjoint, at, incoming, adjoints, h);
  const name = rawNames(sample.config.parameterization)[input];
  // A centre by its standard deviations; a blob leaves the pixel soon.
  const point = { adjoint, x: at, input, h, slopes, closeUp: input < 2 ? 3 : 0 };
  return figure(
    {
      title: "Loss of a pixel along one raw parameter",
      alt: "A curve of the loss along the parameter, with a line that has the gradient as its slope.",
      note: "Thin: the loss of the pixel. Thick: a line with the gradient as its slope. Choose another pixel in the image.",
    },
    plainChart(`Raw parameter ${name} of blob ${count(sample.index)}`, 200, (frame) => outputChart(frame, point)),
  );
}
