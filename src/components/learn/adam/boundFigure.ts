import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText } from "../../element.js";
import { Field } from "../../field.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { deskOf } from "./adamDesk.js";
import { parameterName } from "./adamFigure.js";
import { longestStep } from "./bound.js";
import { replay } from "./replay.js";
import { ruleSample, ruleStyles } from "./ruleStyles.js";
import { isAdam, ruleNames, rules } from "./rules.js";
import { syntheticInputs } from "./synthetic.js";
import { traceChart } from "./traceChart.js";
import { longestOf, sequenceOf } from "./training.js";

/** Steps at which a sequence may end. */
const mostSteps = 3000;

/**
 * How long a step of Adam can be in units of η, for either correction, and how long those are that a sequence of
 * gradients makes it take: the worst one, others, or the parameter that is chosen in `adamFigure`.
 * @param lab whose recorded run tells the longest step that was really taken
 */
export function boundFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  const desk = deskOf(engine, lab);
  const end = element("input", {
    type: "range",
    min: 0,
    max: 100,
    value: 71,
    oninput: () => update(),
  });
  const lengthOf = () => Math.round(mostSteps ** (Number(end.value) / 100));
  const source = element(
    "select",
    { onchange: () => update() },
    ...syntheticInputs.map(({ name, words }) =>
      element("option", { value: name, selected: name === "worst case", title: words }, name),
    ),
    element("option", { value: "recorded" }, "the recorded parameter"),
  );
  const gradients = (): ArrayLike<number> | undefined => {
    const synthetic = syntheticInputs.find(({ name }) => name === source.value);
    if (synthetic) return synthetic.make(lengthOf(), desk.settings);
    return desk.run && sequenceOf(desk.run, "gradients", desk.kept, desk.field);
  };
  const adam = rules.filter(isAdam);
  const chart = traceChart("Length of a step in η", 300, () => {
    const given = gradients();
    if (!given) return undefined;
    const { length } = given;
    const lines = adam.flatMap((rule) => {
      const made = replay(given, 0, { rule, rateAt: () => 1, constants: desk.settings });
      const bound = Float64Array.from({ length }, (_, at) => longestStep(rule, at + 1, desk.settings));
      return [
        { name: `bound ${rule}`, values: bound, ...ruleStyles[rule], width: 1 },
        { name: rule, values: made.updates.map(Math.abs), ...ruleStyles[rule], width: 2.5 },
      ];
    });
    const most = lines.reduce((high, { values }) => values.reduce((a, b) => Math.max(a, b), high), 1);
    return {
      lines,
      y: { label: "↑ |step| ÷ η", domain: [0, Math.ceil(most)], ticks: 8 },
      x: {
        type: "log",
        domain: [1, Math.max(length, 2)],
        ticks: 5,
        tickFormat: (t: number) => (isRound(t) ? `${t}` : ""),
      },
    };
  });
  const words = element("p", { class: "bound-words", role: "status" });
  const measured = element("p", { class: "bound-words" });
  const endField = new Field("Steps in the sequence", "The worst case ends at the last one.", end);
  const sourceField = new Field("Gradients", "Their size does not matter, as long as ε is small.", source);
  const update = () => {
    chart.refresh();
    const length = lengthOf();
    end.ariaValueText = `${length} steps`;
    endField.isDisabled = source.value === "recorded";
    const given = gradients();
    const steps = given?.length ?? length;
    const parts = adam.map((rule) => {
      const bound = longestStep(rule, steps, desk.settings);
      if (!given) return "";
      const { updates } = replay(given, 0, { rule, rateAt: () => 1, constants: desk.settings });
      const last = Math.abs(updates[steps - 1]);
      const most = updates.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
      return `${ruleNames[rule]}: step ${steps} is ${last.toFixed(3)} η long, at most ${bound.toFixed(3)} η are possible there; the longest on the way was ${most.toFixed(3)} η.`;
    });
    setText(words, parts.join(" "));
    const { run } = desk;
    if (!run) return setText(measured, desk.words);
    const { length: long, step, kept, field } = longestOf(run);
    const bound = longestStep(run.config.biasCorrection, step);
    setText(
      measured,
      `In the recorded run (${run.config.biasCorrection} correction) the longest of all steps of all parameters was ${long.toFixed(3)} η: ` +
        `${parameterName(run, kept, field)} at step ${step}, where ${bound.toFixed(3)} η are possible.`,
    );
  };
  const node = learnFigure(
    {
      title: "How long a step can be",
      alt: "Length of Adam's step over the steps of a sequence, for constant and exact correction, below the bound of each.",
      note: "Thin lines are the bounds, thick ones the steps that the sequence leads to. Let the worst case end at other steps: it always ends on the bound.",
      isWide: true,
    },
    element("div", { class: "knobs adam-knobs" }, sourceField.node, endField.node),
    element(
      "p",
      { class: "rule-legend" },
      ...adam.map((rule) => element("span", {}, ruleSample(rule), ` ${ruleNames[rule]}`)),
    ),
    chart.node,
    words,
    measured,
  );
  desk.observe(node, update);
  update();
  whenSeen(node, () => desk.record());
  return node;
}

/** Powers of ten, on a logarithmic axis. */
function isRound(t: number): boolean {
  return Number.isInteger(Math.log10(t));
}
