import { figure } from "../../figures/figure.js";
import { linkThings } from "../../figures/pointing.js";
import * as Inputs from "../../inputs/inputs.js";
import { element, setText, tableOf, uniqueId } from "../../page/element.js";
import { showError } from "../../page/help.js";
import { differenceText, numberText, powerOfTen } from "../../page/numberText.js";
import { checkSlopes, describeKinks, type SlopeComparison } from "./differences.js";
import { mathText, mathWords } from "./mathText.js";
import { newSampleButton, type SamplePicker, sampleLine } from "./samplePicker.js";
import { type AdjointStage, codeThing, type StageAdjoint, type StageInput } from "./stageAdjoint.js";

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

/** The stage that is explained first: its figure says how all of them are used, and begins with its charts in sight. */
const firstStage: AdjointStage = "decode";
interface Settings {
  /** Of ten: h. */
  power: number;
  isMistaken: boolean;
  hasCharts: boolean;
  /** Half of what the charts show of the input, in its units; the whole range if 0. */
  closeUp: number;
}
/** No stage is of interest so far out, and differences there have no digits left. */
const maxMagnitude = 1e6;

/** A place at which a stage is looked at, and its slopes there. */
export interface StagePoint extends Settings {
  adjoint: StageAdjoint;
  x: readonly number[];
  input: number;
  /** The distance of the differences, in units of each input. */
  h: number;
  slopes: SlopeComparison[];
}

/** An input for `view`, whose value is undefined until it is shown a stage. */
export type StageInputs = HTMLElement & {
  value: StagePoint | undefined;
  /** Starts again with a stage at another sample; returns itself. */
  show(adjoint: StageAdjoint): StageInputs;
  /** What the kernel says of the slopes, compared with the twin. */
  showKernel(compared: readonly SlopeComparison[]): void;
};

/**
 * The inputs of a stage, each with the adjoint that the engine's backward function gives it and a central difference
 * of the forward function.
 */
export function stageInputs(stage: AdjointStage, picker: SamplePicker): StageInputs {
  let adjoint: StageAdjoint;
  let x: readonly number[] = [];
  let input = 0;
  let rows: ReturnType<typeof inputRow>[] = [];
  const settings = Inputs.form<Settings>({
    power: Inputs.range([-13, -1], { label: "Step h, as a power of ten", step: 1, value: -5 }),
    isMistaken: Inputs.toggle({ label: "Make a mistake" }),
    hasCharts: Inputs.toggle({ label: "Show the curve, its slopes, and the error by h", value: stage === firstStage }),
    closeUp: Inputs.select([0, 0.1, 0.01, 0.001], {
      label: "Chart shows",
      format: (width: number) => (width ? `± ${width}` : "full range"),
    }),
  });
  settings.addEventListener("input", () => update());
  const mistake = [...settings.querySelectorAll("label")].find(({ textContent }) => textContent === "Make a mistake")!;
  const resetButton = element(
    "button",
    { type: "button", onclick: () => node.show(adjoint) },
    "Back to the run’s values",
  );
  const kinkButtons = element("span", { class: "stage-kinks" });
  const [sampleNode, incoming] = [element("div"), element("p", { class: "stage-incoming" })];
  const wrong = element("p", { class: "wrong-input", role: "status" });
  const verdict = element("p", { class: "adjoint-verdict", role: "status" });
  const words = element("p", { class: "kink-words", role: "status" });
  const heads = ["Input", "Value", "Adjoint", "Finite difference", "WGSL, float32", "Relative error"];
  const table = tableOf(heads, [], { class: "stage-table" });
  const controls = element("div", { class: "learn-controls" }, resetButton, kinkButtons);
  const sampleChoice = element("div", { class: "sample-choice" }, sampleNode, newSampleButton(picker.takeAnother));
  // Whoever views this element hears of all of it alone.
  const oninput = (event: Event) => event.stopPropagation();
  const content = element("div", { oninput }, controls, settings, sampleChoice, incoming, wrong, table, verdict, words);
  const node = figure(
    {
      title: titles[stage],
      alt: "A table of the stage’s inputs with their values, the adjoint of each, a central difference, and whether they agree; below it, to be opened, the outputs along one input and the error of the difference against its step, and the code.",
      isWide: true,
      ...(stage === firstStage && {
        note: "Move an input, or type a number, and both columns are recomputed. The adjoint comes from the function in the code, the difference from the forward function; the adjoints of the outputs stay those of the run.",
      }),
    },
    content,
  ) as unknown as StageInputs;

  const update = () => {
    const { inputs, forward, backward, incoming } = adjoint;
    const { power, isMistaken } = settings.value;
    const h = 10 ** power;
    const units = inputs.map(({ unit }) => unit);
    const adjoints = (isMistaken ? adjoint.mistake.backward : backward)(x, incoming);
    const slopes = checkSlopes(forward, x, incoming, adjoints, units, h);
    for (const [k, row] of rows.entries()) row.show(slopes[k], k === input);
    const apart = inputs.filter((_, k) => !slopes[k].agrees).map(({ name }) => name);
    const within = `within ${powerOfTen(-5)} of the larger of them`;
    const agree = `✓ All ${slopes.length} agree, ${within}.`;
    const disagree = `✗ ${apart.length} of ${slopes.length} do not agree ${within}: ${apart.join(", ")}.`;
    const names = inputs.map(({ name }) => name);
    setText(verdict, (apart.length === 0 ? agree : disagree) + describeKinks(names, slopes));
    verdict.classList.toggle("not-agreeing", apart.length > 0);
    node.value = { ...settings.value, adjoint, x, input, h, slopes };
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /** Goes to other values, with words on what is to be seen there. */
  const goTo = (values: readonly number[], at: number, text = "") => {
    x = values;
    input = Math.min(at, x.length - 1);
    setText(words, text);
    setText(wrong, "");
    const group = uniqueId(stage);
    rows = adjoint.inputs.map((stageInput, k) => {
      const choose = (value?: number) => {
        if (input === k && value === undefined) return;
        input = k;
        if (value !== undefined) [x, words.textContent] = [x.with(k, value), ""];
        update();
      };
      const things = [codeThing(adjoint, k), stageInput.thing];
      return inputRow(stageInput, group, x[k], things, choose, (sentence) =>
        showError(wrong, sentence, "A setting is refused"),
      );
    });
    table.tBodies[0].replaceChildren(...rows.map(({ node }) => node));
    update();
  };
  node.hidden = true;
  node.show = (next) => {
    adjoint = next;
    node.hidden = false;
    const { at, outputs, incoming: d, sample, kinks = [] } = adjoint;
    sampleNode.replaceChildren(sampleLine(sample));
    setText(mistake, `Make a mistake: ${adjoint.mistake.description}`);
    const numbers = outputs.flatMap((name, k) => [
      k > 0 ? ", " : "",
      mathText(`~${name}`),
      ` = ${numberText(d[k], 3)}`,
    ]);
    const isLoss = outputs[0] === "L";
    const lossNote = "The output is the loss itself, so its adjoint is 1.";
    incoming.replaceChildren(...(isLoss ? [lossNote] : ["Adjoints of the outputs: ", ...numbers, "."]));
    const buttons = kinks.map((kink) => {
      const onclick = () => {
        settings.value = { ...settings.value, closeUp: kink.closeUp ?? 0, hasCharts: true };
        goTo(kink.move(x), kink.input, kink.explanation);
      };
      return element("button", { type: "button", onclick }, kink.label);
    });
    kinkButtons.replaceChildren(...buttons);
    goTo(at, input);
    return node;
  };
  node.showKernel = (compared) => {
    for (const [k, row] of rows.entries()) row.showKernel(compared[k]);
  };
  return node;
}

/**
 * An input with its controls, and its slope as it is computed in two ways or three.
 * @param choose hears that the input is looked at, perhaps with another value
 * @param wrong hears one sentence, or nothing once it is right again
 */
function inputRow(
  { name, symbol, formula, low, high, constraint: must }: StageInput,
  group: string,
  value: number,
  things: string[],
  choose: (value?: number) => void,
  wrong: (sentence: string) => void,
) {
  const id = uniqueId("input");
  const radio = element("input", { type: "radio", id, name: group, onchange: () => choose() });
  const box = element("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": name,
    onfocus: () => choose(),
    onchange: () => {
      const typed = Number(box.value.trim().replace("−", "-") || Number.NaN);
      const isNear = Number.isNaN(typed) || Math.abs(typed) <= maxMagnitude;
      const isValid = Number.isFinite(typed) && isNear && (must?.allows(typed) ?? true);
      box.toggleAttribute("aria-invalid", !isValid);
      const requirement = isNear ? `a number${must ? ` ${must.text}` : ""}` : "within a million of zero";
      if (!isValid) return wrong(`“${box.value}” is not a valid ${name}: it must be ${requirement}.`);
      slider.valueAsNumber = typed;
      take(typed);
    },
  });
  const slider = element("input", {
    type: "range",
    step: "any",
    min: low,
    max: high,
    "aria-label": `${name}, slider`,
    onfocus: () => choose(),
    oninput: () => {
      if (!(must?.allows(slider.valueAsNumber) ?? true)) return;
      box.value = inputText(slider.valueAsNumber);
      take(slider.valueAsNumber);
    },
  });
  const take = (value: number) => {
    wrong("");
    box.removeAttribute("aria-invalid");
    slider.ariaValueText = inputText(value);
    choose(value);
  };
  slider.value = String(value);
  box.value = slider.ariaValueText = inputText(value);
  const words = { class: "input-formula", "aria-label": `its adjoint is ${mathWords(formula)}` };
  const label = element("label", { for: id }, mathText(symbol), element("span", {}, name));
  const [adjoint, difference, kernel, apart] = ["adjoint", "difference", "WGSL", "apart"].map((head) =>
    element("td", { class: "number", "data-head": head }),
  );
  const formulaNode = element("span", words, mathText(`~${symbol}`), " = ", mathText(formula));
  const head = element("th", { scope: "row" }, radio, label, formulaNode);
  const onclick = ({ target }: Event) => target === box || target === slider || choose();
  const cells = [element("td", { class: "input-value" }, slider, box), adjoint, difference, kernel, apart];
  const node = element("tr", { onclick }, head, ...cells);
  return {
    node: linkThings(node, ...things),
    show(compared: SlopeComparison, isChosen: boolean) {
      setText(adjoint, numberText(compared.adjoint, 5));
      setText(difference, numberText(compared.difference, 5));
      setText(apart, `${differenceText(compared.relativeError)} ${compared.agrees ? "✓" : "✗"}`);
      apart.classList.toggle("not-agreeing", !compared.agrees);
      setText(kernel, "–");
      radio.checked = isChosen;
      node.classList.toggle("chosen", isChosen);
    },
    showKernel(compared: SlopeComparison) {
      setText(kernel, numberText(compared.adjoint, 5));
      kernel.title = `${differenceText(compared.relativeError)} from the adjoint in float64`;
    },
  };
}

/** As it stands in the box. */
function inputText(value: number): string {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}
