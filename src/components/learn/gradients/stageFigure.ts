import { html } from "htl";
import type { Gpu } from "../../../engine/gpu/device.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { codePairs } from "../../figures/codePairs.js";
import { facts, figure } from "../../figures/figure.js";
import { gpuOutput } from "../../figures/gpuOutput.js";
import { phoneViews } from "../../figures/phoneViews.js";
import { plainChart } from "../../figures/plainChart.js";
import * as Inputs from "../../inputs/inputs.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { setText, tableOf, uniqueId } from "../../page/element.js";
import { showError } from "../../page/help.js";
import { differenceText, numberText, powerOfTen } from "../../page/numberText.js";
import { differenceErrorChart, outputChart, type Settings, type StagePoint } from "./adjointCharts.js";
import { kernelAdjoint } from "./adjointKernel.js";
import { checkSlopes, compareSlopes, describeKinks, oneSidedSlopes, type SlopeComparison } from "./differences.js";
import { type InputRow, inputRow } from "./inputRow.js";
import { mathText } from "./mathText.js";
import { newSampleButton, type SamplePicker, sampleLine } from "./samplePicker.js";
import { type AdjointStage, adjointCodeOf, codeThing, type StageAdjoint, type StageInput } from "./stageAdjoint.js";

const titles: Record<AdjointStage, string> = {
  decode: "Decoding: from a raw parameter to its value",
  covariance: "Covariance: from variances and correlation to the falloff",
  falloff: "Falloff and opacity: from centre and opacity to α",
  blend: "Blend: from the state before the blob to the state after it",
  undo: "Undo: the adjoint of a blend from the undone state",
  composite: "Compositing: from C and T to the colour",
  loss: "Loss: from C and T to the squared error",
  chain: "All stages: from nine raw parameters to the loss of a pixel",
};

/** An input for `view`; its value is undefined before it shows a stage. */
export type StageFigure = HTMLElement & {
  stage: AdjointStage;
  value: StagePoint | undefined;
  /** Starts again with the stage at another sample; returns itself. */
  show(adjoint: StageAdjoint): StageFigure;
};

/**
 * Returns the gradient check of a stage: its inputs, each with the adjoint by the engine's backward function, a central
 * difference of the forward function, and the adjoint by the kernel; two charts; and the code.
 * @param visibility Framework's, which resolves when the cell is visible
 */
export function stageFigure(
  stage: AdjointStage,
  engine: BrowserEngine,
  picker: SamplePicker,
  visibility: () => Promise<unknown>,
): StageFigure {
  let adjoint: StageAdjoint;
  let x: readonly number[] = [];
  let input = 0;
  let rows: InputRow[] = [];
  // The first figure of the page explains how all of them are used, and begins with its charts shown.
  const isFirst = stage === "decode";
  const mistake = html`<span>Make a mistake</span>`;
  const settings = Inputs.form<Settings>({
    power: Inputs.range([-13, -1], { label: "Step size h, as a power of ten", step: 1, value: -5 }),
    isMistaken: Inputs.toggle({ label: mistake }),
    hasCharts: Inputs.toggle({ label: "Show the curve, its slopes, and the error by h", value: isFirst }),
    closeUp: Inputs.select([0, 0.1, 0.01, 0.001], {
      label: "Chart shows",
      format: (width: number) => (width ? `± ${width}` : "full range"),
    }),
  });
  settings.oninput = () => update();
  const kinkButtons = html`<span class="stage-kinks">`;
  const [sampleNode, incoming] = [html`<div>`, html`<p class="stage-incoming">`];
  const wrong = html`<p class="wrong-input" role="status">`;
  const verdict = html`<p class="adjoint-verdict" role="status">`;
  const explanation = html`<p class="kink-words" role="status">`;
  const heads = ["Input", "Value", "Adjoint", "Finite difference", "WGSL, float32", "Relative error"];
  const table = tableOf(heads, [], { class: "stage-table" });
  const reset = () => node.show(adjoint);
  const [kernelPart, chartsPart, codePart] = [html`<div>`, html`<div>`, html`<div>`];
  const views = phoneViews(
    `stage ${stage}`,
    { Check: html`<div>${table}${kernelPart}</div>`, Curve: chartsPart, Code: codePart },
    (part) => {
      if (part !== "Curve" || settings.value.hasCharts) return;
      settings.value = { ...settings.value, hasCharts: true };
      update();
    },
  );
  // The figure has input events of its own.
  const content = html`<div oninput=${(event: Event) => event.stopPropagation()}>
    <div class="learn-controls"><button type="button" onclick=${reset}>Back to the run’s values</button>${kinkButtons}</div>
    <details class="stage-settings" open=${matchMedia("(min-width: 761px)").matches}>
      <summary>Settings and sample</summary>
      ${settings}<div class="sample-choice">${sampleNode}${newSampleButton(picker.takeAnother)}</div>${incoming}
    </details>
    ${[wrong, verdict, explanation, views]}</div>`;
  const node = html`<div hidden>${figure(
    {
      title: titles[stage],
      alt: "A table of the stage’s inputs with their values, the adjoint of each, a central difference, and whether they agree; also the outputs along one input, the error of the difference against its step, and the code.",
      isWide: true,
      ...(isFirst && {
        note: "The adjoint comes from the function in the code, the difference from the forward function. When an input moves, the adjoints of the outputs stay those of the run.",
      }),
    },
    content,
  )}</div>` as StageFigure;

  let endDetails = () => {};
  const showDetails = async (point: StagePoint) => {
    endDetails();
    const end = new Promise<void>((resolve) => {
      endDetails = resolve;
    });
    await visibility();
    const code = await codePairs([adjointCodeOf(adjoint)], codeThing(adjoint, point.input));
    if (point !== node.value) return;
    const kernel = gpuOutput(engine, (gpu, signal) => compareWithKernel(gpu, point, rows, signal), end);
    kernelPart.replaceChildren(kernel);
    chartsPart.replaceChildren(...(point.hasCharts ? [stageCharts(point)] : []));
    codePart.replaceChildren(code);
  };
  const update = () => {
    const { inputs, backward, incoming } = adjoint;
    const { power, isMistaken } = settings.value;
    const h = 10 ** power;
    const adjoints = (isMistaken ? adjoint.mistake.backward : backward)(x, incoming);
    const slopes = checkSlopes(adjoint, x, incoming, adjoints, h);
    for (const [k, row] of rows.entries()) row.show(slopes[k], k === input);
    setText(verdict, verdictOf(inputs, slopes));
    const isWrong = slopes.some(({ agrees }) => !agrees);
    verdict.classList.toggle("not-agreeing", isWrong);
    const point = { ...settings.value, adjoint, x, input, h, slopes };
    setInputValue(node, point);
    void showDetails(point);
  };
  /** Goes to other values, with an explanation of what they show. */
  const goTo = (values: readonly number[], at: number, text = "") => {
    x = values;
    input = Math.min(at, x.length - 1);
    setText(explanation, text);
    setText(wrong, "");
    const group = uniqueId(stage);
    const refuse = (sentence: string) => showError(wrong, sentence, "A setting is refused");
    rows = adjoint.inputs.map((stageInput, k) => {
      const choose = (value?: number) => {
        if (input === k && value === undefined) return;
        input = k;
        if (value !== undefined) [x, explanation.textContent] = [x.with(k, value), ""];
        update();
      };
      return inputRow(stageInput, group, x[k], [codeThing(adjoint, k), stageInput.thing], choose, refuse);
    });
    table.tBodies[0].replaceChildren(...rows.map(({ node }) => node));
    update();
  };
  const show: StageFigure["show"] = (next) => {
    adjoint = next;
    node.hidden = false;
    const { at, sample, kinks = [] } = adjoint;
    sampleNode.replaceChildren(sampleLine(sample));
    setText(mistake, `Make a mistake: ${adjoint.mistake.description}`);
    incoming.replaceChildren(...incomingText(adjoint));
    const buttons = kinks.map(({ label, input, move, closeUp = 0, explanation }) => {
      const onclick = () => {
        settings.value = { ...settings.value, closeUp, hasCharts: true };
        views.choose("Curve");
        goTo(move(x), input, explanation);
      };
      return html`<button type="button" onclick=${onclick}>${label}</button>`;
    });
    kinkButtons.replaceChildren(...buttons);
    goTo(at, input);
    return node;
  };
  return Object.assign(node, { stage, show });
}

/** Returns whether the adjoints of all inputs agree with their differences, as text. */
function verdictOf(inputs: StageInput[], slopes: SlopeComparison[]): string {
  const names = inputs.map(({ name }) => name);
  const differing = names.filter((_, k) => !slopes[k].agrees);
  const within = `within ${powerOfTen(-5)} of the larger of them`;
  const verdict =
    differing.length === 0
      ? `✓ All ${slopes.length} agree, ${within}.`
      : `✗ ${differing.length} of ${slopes.length} do not agree ${within}: ${differing.join(", ")}.`;
  return verdict + describeKinks(names, slopes);
}

/** Returns the adjoints of the outputs as text. */
function incomingText({ outputs, incoming }: StageAdjoint): (Node | string)[] {
  if (outputs[0] === "L") return ["The output is the loss itself, so its adjoint is 1."];
  const numbers = outputs.map((name, k) => html`<span>${mathText(`~${name}`)} = ${numberText(incoming[k], 3)}</span>`);
  return ["Adjoints of the outputs: ", ...numbers.flatMap((number, k) => (k > 0 ? [", ", number] : [number])), "."];
}

/** Computes the slopes with the kernel, shows them in the table, and returns the largest difference as a sentence. */
async function compareWithKernel(
  gpu: Gpu,
  { adjoint, x }: StagePoint,
  rows: InputRow[],
  signal: AbortSignal,
): Promise<string> {
  const slopes = await kernelAdjoint(gpu, adjoint, x);
  if (signal.aborted) return "";
  const compared = compareSlopes(adjoint, slopes, adjoint.backward(x, adjoint.incoming));
  for (const [k, row] of rows.entries()) row.showKernel(compared[k]);
  const largest = Math.max(...compared.map(({ relativeError }) => relativeError));
  return `In float32 the WGSL below is at most ${differenceText(largest)} from this.`;
}

function stageCharts(point: StagePoint): HTMLElement {
  const { adjoint, x, input, h, slopes } = point;
  const { symbol, unit } = adjoint.inputs[input];
  const { left, right, jump } = oneSidedSlopes(adjoint.forward, x, adjoint.incoming, input, h * unit);
  const charts = [
    plainChart(
      "Outputs along the chosen input",
      240,
      (frame) => outputChart(frame, point),
      "Thin: the forward function. Thick: a line with the adjoint as its slope. Dashed, where visible: the difference.",
    ),
    plainChart(
      "Error of the finite difference by step size h",
      240,
      (frame) => differenceErrorChart(frame, point),
      "Solid: float64, as in the table. Dashed: the same with the sum rounded to float32.",
    ),
  ];
  const numbers = facts({
    [`slope along ${symbol.replace("_", " ")}, from the left`]: numberText(left, 5),
    "from the right": numberText(right, 5),
    adjoint: numberText(slopes[input].adjoint, 5),
    "change of the outputs over 2h": numberText(jump, 5),
  });
  return html`<div class="stage-charts"><div class="learn-columns">${charts}</div>${numbers}</div>`;
}
