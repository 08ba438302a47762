import { html } from "htl";
import type { PipelineName } from "../../../engine/config.js";
import { parameterCount, parameterNames, rawNames } from "../../../engine/model/blobs.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { figure } from "../../figures/figure.js";
import { linkThings } from "../../figures/pointing.js";
import { tableOf } from "../../page/element.js";
import { count } from "../../page/format.js";
import { errorText, failureText } from "../../page/help.js";
import { differenceText, numberText } from "../../page/numberText.js";
import { runInWorker } from "../../worker/runInWorker.js";
import { checkTolerances, compareSlot, describeKinks, type SlopeComparison } from "./differences.js";
import type { RunState } from "./stepSample.js";

/** The names of the backward passes, by pipeline. */
export const backwardPassNames: Record<PipelineName | "oracle", string> = {
  oracle: "the CPU reference in float64",
  cpu: "cpu, with float32 results",
  simple: "simple, on the GPU",
  tiled: "tiled, on the GPU",
  binned: "binned, on the GPU",
};

/** The state of a gradient check: what is known of each raw parameter of the blob. */
export interface Check {
  rows: { field: number; name: string; value: number; gradient?: number; compared?: SlopeComparison }[];
  message: string | Node;
  state: "wrong" | "running" | "agrees" | "disagrees";
}

/**
 * Compares the nine gradients of a blob with central differences of the loss of the whole image, row by row.
 * @param blob its index, as the reader typed it
 */
export async function* checkStep(
  engine: BrowserEngine,
  { config, image, state }: RunState,
  pipelineName: PipelineName | "oracle",
  blob: string,
  h: number,
): AsyncGenerator<Check, void, void> {
  const { parameters } = state;
  const blobs = parameters.length / parameterCount;
  const index = Number(blob.replaceAll(",", "").trim() || Number.NaN);
  if (!(Number.isInteger(index) && index >= 0 && index < blobs)) {
    const sentence = `blob must be a whole number from 0 to ${blobs - 1} (got “${blob}”)`;
    return yield { rows: [], message: errorText(sentence, "A setting is refused"), state: "wrong" };
  }
  const precision = pipelineName === "oracle" ? "float64" : "float32";
  const rows: Check["rows"] = rawNames(config.parameterization).map((name, field) => {
    return { field, name, value: parameters[field * blobs + index] };
  });
  yield { rows, message: `One backward pass by ${backwardPassNames[pipelineName]} …`, state: "running" };
  try {
    const gradients =
      pipelineName === "oracle"
        ? await runInWorker("oracleGradients", config, image, parameters)
        : await computeGradientsWith(engine, pipelineName, { config, image, state });
    for (const row of rows) {
      const slot = row.field * blobs + index;
      row.gradient = gradients[slot];
      yield { rows, message: `Two forward passes for each parameter: ${row.field + 1} of 9 …`, state: "running" };
      const lossArguments = [config, image, parameters, slot, h] as const;
      const difference = await runInWorker("lossDifference", ...lossArguments);
      row.compared = compareSlot(gradients, slot, difference, precision);
      if (row.compared.agrees) continue;
      const sides = await runInWorker("lossSides", ...lossArguments);
      row.compared = compareSlot(gradients, slot, difference, precision, sides);
    }
    const wrong = rows.filter(({ compared }) => !compared?.agrees).length;
    const scopeText = `of blob ${count(index)} at step ${count(state.step)}, within ${numberText(checkTolerances[precision], 1)}`;
    const [names, compared] = [rows.map(({ name }) => name), rows.map(({ compared }) => compared)];
    const verdict =
      wrong === 0
        ? `✓ All nine gradients ${scopeText}, agree.`
        : `✗ ${wrong} of nine gradients ${scopeText}, do not agree.`;
    yield { rows, message: verdict + describeKinks(names, compared), state: wrong === 0 ? "agrees" : "disagrees" };
  } catch (error) {
    yield { rows, message: failureText("The check failed", error as Error), state: "wrong" };
  }
}

async function computeGradientsWith(engine: BrowserEngine, name: PipelineName, { config, image, state }: RunState) {
  const pipeline = await engine.backend(name).open({ ...config, pipeline: name }, image, state);
  try {
    return await pipeline.computeGradients();
  } finally {
    await pipeline.free();
  }
}

/** Returns the table of a check. */
export function checkFigure({ rows, message, state }: Check): HTMLElement {
  const heads = ["Raw parameter", "Value", "Analytic gradient", "Finite difference", "Relative error"];
  const body = rows.map(({ field, name, value, gradient, compared }) => {
    const numbers = [
      numberText(value, 6),
      gradient === undefined ? "…" : numberText(gradient, 6),
      compared ? numberText(compared.difference, 6) : "…",
      compared ? `${differenceText(compared.relativeError)} ${compared.agrees ? "✓" : "✗"}` : "…",
    ].map((text, k) => {
      const differs = k === 3 && compared?.agrees === false;
      return html`<td class="number ${differs ? "not-agreeing" : ""}" data-head=${heads[k + 1]}>${text}</td>`;
    });
    return linkThings(html`<tr><th scope="row">${name}</th>${numbers}</tr>`, `parameter:${parameterNames[field]}`);
  });
  const isOver = state !== "running";
  const isWrong = state === "wrong" || state === "disagrees";
  return figure(
    {
      title: "Gradient check of the whole step",
      alt: "A table of the nine raw parameters of one blob: the gradient of the whole image's loss by a backward pass, the central difference of that loss, and whether they agree.",
      note: "Choose the pipeline of the backward pass, a blob, and the step size of the difference. A large h misses the curvature of the loss and moves the blob across support edges; with a tiny one, rounding dominates.",
      isWide: true,
    },
    tableOf(heads, body, { class: "check-table" }),
    html`<p class="adjoint-verdict ${isWrong ? "not-agreeing" : ""}" role=${isOver ? "status" : null}>${message}</p>`,
  );
}
