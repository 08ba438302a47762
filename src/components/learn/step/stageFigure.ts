import type { Gpu } from "../../../engine/gpu/device.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { codePairs } from "../../figures/codePairs.js";
import { facts } from "../../figures/figure.js";
import { gpuOutput } from "../../figures/gpuOutput.js";
import { plainChart } from "../../figures/plainChart.js";
import { explain } from "../../figures/terms.js";
import { element } from "../../page/element.js";
import { differenceText, numberText } from "../../page/numberText.js";
import { differenceErrorChart, outputChart } from "./adjointCharts.js";
import { kernelAdjoint } from "./adjointKernel.js";
import { compareSlopes, oneSidedSlopes } from "./differences.js";
import { adjointCodeOf, codeThing } from "./stageAdjoint.js";
import type { StageInputs, StagePoint } from "./stageInputs.js";

const chartHeight = 240;

/** What the kernels say of a stage's slopes, in its inputs' table; its charts, if they are wanted; and its code. */
export async function stageFigure(
  engine: BrowserEngine,
  inputs: StageInputs,
  point: StagePoint,
  invalidation: Promise<unknown>,
): Promise<HTMLElement> {
  const { adjoint, x, input } = point;
  const compare = async (gpu: Gpu, signal: AbortSignal) => {
    const slopes = await kernelAdjoint(gpu, adjoint, x);
    if (signal.aborted) return "";
    const units = adjoint.inputs.map(({ unit }) => unit);
    const compared = compareSlopes(slopes, adjoint.backward(x, adjoint.incoming), units);
    inputs.showKernel(compared);
    return `In float32 the WGSL below is at most ${differenceText(Math.max(...compared.map(({ relativeError: apart }) => apart)))} from this.`;
  };
  const kernel = gpuOutput(engine, compare, invalidation);
  const code = await codePairs([adjointCodeOf(adjoint)], codeThing(adjoint, input));
  const charts = point.hasCharts && stageCharts(point);
  return explain(element("div", { class: "learn-figure is-wide stage-figure" }, kernel, charts, code));
}

function stageCharts(point: StagePoint): HTMLElement {
  const { adjoint, x, input, h, slopes } = point;
  const { symbol, unit } = adjoint.inputs[input];
  const { left, right, jump } = oneSidedSlopes(adjoint.forward, x, adjoint.incoming, input, h * unit);
  const outputFigure = plainChart(
    "Outputs along the chosen input",
    chartHeight,
    (frame) => outputChart(frame, point),
    "Thin: the forward function. Thick: a line with the adjoint as its slope. Dashed, where visible: the difference.",
  );
  const stepFigure = plainChart(
    "Error of the finite difference by step h",
    chartHeight,
    (frame) => differenceErrorChart(frame, point),
    "Solid: float64, as in the table. Dashed: the same with the sum rounded to float32.",
  );
  const numbers = facts({
    [`slope along ${symbol.replace("_", " ")}, from the left`]: numberText(left, 5),
    "from the right": numberText(right, 5),
    adjoint: numberText(slopes[input].adjoint, 5),
    "difference over 2h, undivided": numberText(jump, 5),
  });
  return element(
    "div",
    { class: "stage-charts" },
    element("div", { class: "learn-columns" }, outputFigure, stepFigure),
    numbers,
  );
}
