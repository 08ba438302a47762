import type { Composite } from "../../../engine/config.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText, uniqueId } from "../../element.js";
import type { Lab } from "../../lab/lab.js";
import { plainChart } from "../../plainChart.js";
import { whenSeen } from "../../seen.js";
import { codePair } from "../codePair.js";
import { learnFigure } from "../learnFigure.js";
import { numberText, powerOfTen } from "../numberText.js";
import { alongChart, stepChart } from "./adjointCharts.js";
import { adjointCode, codeThing } from "./adjointCode.js";
import { kernelAdjoint } from "./adjointKernel.js";
import { adjointOf } from "./adjoints.js";
import { type Compared, centralDifference, compareSlopes, oneSided } from "./differences.js";
import { InputTable } from "./inputTable.js";
import { mathText } from "./mathText.js";
import { sampleLine } from "./sampleLine.js";
import { sharedSample } from "./sharedSample.js";
import type { AdjointStage, StageAdjoint } from "./stageAdjoint.js";
import type { StepSample } from "./stepSample.js";

const titles: Record<AdjointStage, string> = {
  decode: "Decoding: from a raw parameter to its value",
  covariance: "Shape: from variances and correlation to the falloff",
  falloff: "Falloff and opacity: from centre and opacity to α",
  blend: "One blend: from the pixel before the blob to the pixel behind it",
  undo: "The same blend, taken back from the undone state",
  composite: "Compositing: from C and T to the colour that is seen",
  loss: "Loss: from C and T to the squared error",
  chain: "The whole chain: from nine raw parameters to the pixel’s loss",
};

/** Sizes of h, as powers of ten, and where it begins. */
const [leastPower, mostPower, firstPower] = [-13, -1, -5];
const chartHeight = 240;
/** The stage that is explained first: its figure says how all of them are used, and begins with its charts in sight. */
const firstStage: AdjointStage = "decode";
/** Half of what a chart may show of an input, in its units. */
const closeUps = [0.1, 0.01, 0.001];

/**
 * A stage's adjoint, computed by the engine's backward function, against central differences of its forward function,
 * at a blob and pixel of the lab's run.
 */
export function adjointFigure(engine: BrowserEngine, lab: Lab, stage: AdjointStage): HTMLElement {
  const body = element("div", { class: "adjoint-body" });
  const waiting = element("p", { class: "chart-waiting" }, "The run’s first steps are on their way.");
  body.append(waiting);
  const node = learnFigure(
    {
      title: titles[stage],
      alt: `A table of the stage’s inputs with their values, the adjoint of each, a central difference, and whether they agree; below it the code, and, to be opened, the outputs along one input and the error of the difference against its step.`,
      ...(stage === firstStage && {
        note: "Move an input, or type a number, and both columns are computed anew. The adjoint comes from the function in the code, the difference from the forward function alone; what comes back from the stages behind stays what it was in the run.",
      }),
      isWide: true,
    },
    body,
  );
  whenSeen(node, () => {
    let figure: StageFigure | undefined;
    sharedSample(lab).follow(node, (sample) => {
      if (figure?.isOf(sample)) return figure.take(sample);
      figure = new StageFigure(engine, lab, stage, sample);
      body.replaceChildren(figure.node);
    });
  });
  return node;
}

/** The figure, once there is a run to look into. */
class StageFigure {
  readonly node: HTMLElement;
  readonly #table: InputTable;
  readonly #charts: { refresh(): void }[];
  readonly #code;
  readonly #sampleLine = sampleLine();
  readonly #incoming = element("p", { class: "adjoint-incoming" });
  readonly #verdict = element("p", { class: "adjoint-verdict", "aria-live": "polite" });
  readonly #words = element("p", { class: "kink-words", "aria-live": "polite" });
  readonly #wrong = element("p", { class: "wrong-input", role: "status" });
  readonly #facts = element("dl", { class: "learn-facts side-slopes" });
  readonly #details: HTMLDetailsElement;
  readonly #hWords = element("output", {});
  readonly #closeUpSelect = this.#closeUpChoice();
  readonly #hasKernel: boolean;
  #sample: StepSample;
  #composite: Composite;
  #adjoint: StageAdjoint;
  #x: number[];
  #input = 0;
  #power = firstPower;
  #closeUp: number | undefined;
  #isMistaken = false;
  #compared: Compared[] = [];
  #isDrawn = true;
  #kernelTurn = 0;

  constructor(
    readonly engine: BrowserEngine,
    readonly lab: Lab,
    readonly stage: AdjointStage,
    sample: StepSample,
  ) {
    this.#sample = sample;
    this.#composite = sample.config.composite;
    this.#adjoint = adjointOf(stage, sample);
    this.#x = this.#adjoint.at;
    this.#hasKernel = engine.kind !== "cpu";
    this.#code = codePair(engine.shaders, adjointCode(stage, sample.config.parameterization));
    const { inputs } = this.#adjoint;
    this.#table = new InputTable(inputs, {
      name: uniqueId(`along-${stage}`),
      things: (k) => [codeThing(stage, k, this.#composite), inputs[k].thing],
      hasKernel: this.#hasKernel,
      changed: (k, value) => {
        setText(this.#words, "");
        this.#x = this.#x.with(k, value);
        this.#choose(k);
      },
      chosen: (k) => this.#choose(k),
      wrong: (sentence) => setText(this.#wrong, sentence),
    });
    const along = plainChart(
      "What comes out along the chosen input",
      chartHeight,
      (frame) => alongChart(frame, this.#along()),
      "Thin: the forward function. Thick: a line with the adjoint for its slope. Dashed, where it can be seen: the difference.",
    );
    const steps = plainChart(
      "How good the difference is, by its step h",
      chartHeight,
      (frame) => stepChart(frame, this.#along()),
      "Solid: float64, as in the table. Dashed: the same with the sum rounded to float32.",
    );
    this.#charts = [along, steps];
    this.#details = element(
      "details",
      { class: "adjoint-charts", open: stage === firstStage },
      element("summary", {}, "The curve along the chosen input, its slopes on both sides, and the error by h"),
      element("div", { class: "learn-controls" }, element("label", {}, "Chart shows", this.#closeUpSelect)),
      element("div", { class: "learn-columns" }, along, steps),
      this.#facts,
    );
    const another = element(
      "button",
      { type: "button", class: "quiet", onclick: () => sharedSample(lab).takeAnother() },
      "Take another blob and pixel",
    );
    this.node = element(
      "div",
      { class: "adjoint-figure", "data-stage": stage },
      this.#controls(),
      element("div", { class: "sample-choice" }, this.#sampleLine.node, another),
      this.#incoming,
      this.#wrong,
      this.#table.node,
      !this.#hasKernel &&
        stage === firstStage &&
        element(
          "p",
          { class: "adjoint-incoming" },
          "With a GPU a column would show what the WGSL below says in float32.",
        ),
      this.#verdict,
      this.#words,
      this.#details,
      this.#code.node,
    );
    this.take(sample);
  }

  /** Whether it is the figure of a sample's model: its labels and its code are those of one. */
  isOf({ config }: StepSample): boolean {
    const { parameterization, blend } = this.#sample.config;
    return config.parameterization === parameterization && config.blend === blend;
  }

  /** Begins anew at another sample. */
  take(sample: StepSample): void {
    this.#sample = sample;
    this.#begin();
  }

  #begin(): void {
    this.#adjoint = adjointOf(this.stage, this.#sample, this.#composite);
    this.#x = this.#adjoint.at;
    setText(this.#words, "");
    setText(this.#wrong, "");
    this.#sampleLine.show(this.#sample);
    this.#table.setValues(this.#adjoint.inputs, this.#x);
    const { outputs, incoming } = this.#adjoint;
    const isLoss = outputs.length === 1 && outputs[0] === "L";
    const parts = outputs.flatMap((output, k) => [
      k > 0 ? ", " : "",
      mathText(`~${output}`),
      ` = ${numberText(incoming[k], 3)}`,
    ]);
    this.#incoming.replaceChildren(
      ...(isLoss
        ? ["What comes out is the loss itself, so that nothing comes back but 1."]
        : ["What comes back: ", ...parts, "."]),
    );
    this.#compute();
  }

  #choose(input: number): void {
    this.#input = input;
    this.#compute();
  }

  #compute(): void {
    const { inputs, incoming, forward, backward, mistake } = this.#adjoint;
    const adjoints = (this.#isMistaken ? mistake.backward : backward)(this.#x, incoming);
    const h = 10 ** this.#power;
    const differences = inputs.map(({ unit }, k) => centralDifference(forward, this.#x, incoming, k, h * unit));
    const units = inputs.map(({ unit }) => unit);
    this.#compared = compareSlopes(adjoints, differences, units);
    this.#table.choose(this.#input);
    this.#table.show(this.#compared);
    const apart = this.#compared.flatMap(({ agrees }, k) => (agrees ? [] : [inputs[k].name]));
    const all = this.#compared.length;
    const tolerance = `within ${powerOfTen(-5)} of the larger of them`;
    setText(
      this.#verdict,
      apart.length === 0
        ? `✓ All ${all} agree, ${tolerance}.`
        : `✗ ${apart.length} of ${all} do not agree ${tolerance}: ${apart.join(", ")}.`,
    );
    this.#verdict.classList.toggle("not-agreeing", apart.length > 0);
    this.#showSides(h);
    setText(this.#hWords, `h = ${powerOfTen(this.#power)}`);
    this.#code.activate(codeThing(this.stage, this.#input, this.#composite));
    this.#draw();
    void this.#askKernel();
  }

  #showSides(h: number): void {
    const { inputs, incoming, forward } = this.#adjoint;
    const { symbol, unit } = inputs[this.#input];
    const { left, right, jump } = oneSided(forward, this.#x, incoming, this.#input, h * unit);
    const facts = {
      [`slope along ${symbol}, from the left`]: left,
      "from the right": right,
      adjoint: this.#compared[this.#input].adjoint,
      "difference over 2h, undivided": jump,
    };
    this.#facts.replaceChildren(
      ...Object.entries(facts).map(([what, value]) =>
        element("div", {}, element("dt", {}, what.replace("_", " ")), element("dd", {}, numberText(value, 5))),
      ),
    );
  }

  /** Once a frame is enough. */
  #draw(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    requestAnimationFrame(() => {
      this.#isDrawn = true;
      for (const chart of this.#charts) chart.refresh();
    });
  }

  async #askKernel(): Promise<void> {
    if (!this.#hasKernel) return;
    const turn = ++this.#kernelTurn;
    const isCurrent = () => turn === this.#kernelTurn;
    this.#table.showKernel(undefined);
    // A slider in motion asks for the last place alone.
    await new Promise((resolve) => setTimeout(resolve, 120));
    if (!isCurrent()) return;
    const gpu = await pageGpu(this.engine);
    if (!gpu || !isCurrent()) return;
    const adjoint = this.#adjoint;
    const { backward, incoming, inputs } = adjoint;
    const x = this.#x;
    try {
      const slopes = await kernelAdjoint(gpu, this.#sample, adjoint, x, incoming, this.#composite);
      if (!isCurrent()) return;
      const units = inputs.map(({ unit }) => unit);
      this.#table.showKernel(compareSlopes(slopes, backward(x, incoming), units));
    } catch (error) {
      if (isCurrent()) setText(this.#wrong, `The kernel did not run: ${(error as Error).message}`);
    }
  }

  #along() {
    return {
      adjoint: this.#adjoint,
      x: this.#x,
      d: this.#adjoint.incoming,
      input: this.#input,
      slope: this.#compared[this.#input].adjoint,
      h: 10 ** this.#power,
      closeUp: this.#closeUp,
    };
  }

  #controls(): HTMLElement {
    const back = element("button", { type: "button", onclick: () => this.#begin() }, "Back to the run’s values");
    const h = element("input", {
      type: "range",
      min: leastPower,
      max: mostPower,
      step: 1,
      value: firstPower,
      "aria-label": "Step of the difference, as a power of ten",
      oninput: () => {
        this.#power = h.valueAsNumber;
        h.ariaValueText = `10 to the power ${this.#power}`;
        this.#compute();
      },
    });
    const mistake = element("input", {
      type: "checkbox",
      onchange: () => {
        this.#isMistaken = mistake.checked;
        this.#compute();
      },
    });
    const kinks = this.#adjoint.kinks.map(({ label }, k) =>
      element("button", { type: "button", onclick: () => this.#goToKink(k) }, label),
    );
    return element(
      "div",
      { class: "learn-controls" },
      back,
      this.stage === "composite" && this.#compositeChoice(),
      ...kinks,
      element("label", { class: "step-size" }, this.#hWords, h),
      element("label", { class: "mistake" }, mistake, `Make a mistake: ${this.#adjoint.mistake.what}`),
    );
  }

  #compositeChoice(): HTMLElement {
    const names: Record<Composite, string> = { seed: "seed: C (1 − T) + T", white: "white: C + T", black: "black: C" };
    const select = element(
      "select",
      {
        onchange: () => {
          this.#composite = select.value as Composite;
          this.#begin();
          const mistake = this.node.querySelector(".mistake")!;
          mistake.lastChild!.textContent = `Make a mistake: ${this.#adjoint.mistake.what}`;
        },
      },
      ...Object.entries(names).map(([value, text]) =>
        element("option", { value, selected: value === this.#composite }, text),
      ),
    );
    return element("label", {}, "Composite", select);
  }

  #closeUpChoice(): HTMLSelectElement {
    const select: HTMLSelectElement = element(
      "select",
      {
        onchange: () => {
          this.#closeUp = select.value === "" ? undefined : Number(select.value);
          this.#draw();
        },
      },
      element("option", { value: "" }, "all of it"),
      ...closeUps.map((width) => element("option", { value: width }, `± ${width}`)),
    );
    return select;
  }

  #goToKink(k: number): void {
    const { move, input, words, closeUp } = this.#adjoint.kinks[k];
    this.#closeUp = closeUp;
    this.#closeUpSelect.value = String(closeUp ?? "");
    this.#details.open = true;
    this.#x = move(this.#x);
    this.#table.setValues(this.#adjoint.inputs, this.#x);
    this.#choose(input);
    setText(this.#words, words);
  }
}
