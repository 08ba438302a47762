import { psnrOfLoss } from "../../../engine/metrics.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText } from "../../element.js";
import { decibels } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { deskOf } from "./adamDesk.js";
import { parameterName } from "./adamFigure.js";
import { ruleLegend, ruleStyles } from "./ruleStyles.js";
import { isAdam, type Rule, ruleNames, rules } from "./rules.js";
import { logScale, traceChart } from "./traceChart.js";
import { isShipped, sequenceOf, type TrainedRun, trainByRule } from "./training.js";

/**
 * The same job trained by each of the four rules from the same start: the loss of each, and the raw parameter that is
 * chosen in `adamFigure`.
 * @param lab whose job is trained
 */
export function rulesFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  const desk = deskOf(engine, lab);
  const runs = new Map<Rule, TrainedRun>();
  let controller = new AbortController();
  let trainedWith = "";
  const go = (step: number) => desk.goTo(step);
  /** As long as the runs will be. */
  const stepAxis = () => ({ domain: [1, desk.run?.gradients.length ?? 2] });
  const loss = traceChart(
    "Loss",
    240,
    () => {
      const lines = [...runs].map(([rule, { losses }]) => ({ name: rule, values: losses, ...ruleStyles[rule] }));
      const longest = Math.max(0, ...lines.map(({ values }) => values.length));
      lines.sort((a, b) => b.values.length - a.values.length);
      const y = logScale(
        lines.flatMap(({ values }) => values),
        "↑ squared error per pixel",
      );
      return longest > 1 ? { lines, y, x: stepAxis() } : undefined;
    },
    go,
  );
  const parameter = traceChart(
    "The chosen raw parameter in the four runs",
    240,
    () => {
      const lines = [...runs].map(([rule, run]) => {
        const values = sequenceOf(run, "parameters", Math.min(desk.kept, run.kept.length - 1), desk.field);
        return { name: rule, values: values.subarray(1), ...ruleStyles[rule] };
      });
      lines.sort((a, b) => b.values.length - a.values.length);
      return (lines[0]?.values.length ?? 0) > 1
        ? { lines, y: { label: "↑ raw units", nice: true, ticks: 5 }, x: stepAxis() }
        : undefined;
    },
    go,
  );
  const status = element("p", { class: "adam-status", role: "status" });
  const results = element("dl", { class: "learn-facts" });
  const cells = rules.map((rule) => {
    const value = element("dd", {}, "–");
    results.append(element("div", {}, element("dt", {}, ruleNames[rule]), value));
    return value;
  });
  const showResults = () => {
    for (const [at, rule] of rules.entries()) {
      const last = runs.get(rule)?.losses.at(-1);
      setText(cells[at], last === undefined ? "–" : decibels(psnrOfLoss(last)));
    }
  };
  const settingsKey = () => JSON.stringify([desk.settings, desk.run?.config, desk.run?.losses.length]);
  const train = async () => {
    const base = desk.run;
    if (!base) return;
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    runs.clear();
    trainedWith = settingsKey();
    button.disabled = true;
    const { rate, plainRate, ...constants } = desk.settings;
    const steps = base.gradients.length;
    for (const rule of rules) {
      const config = { ...base.config, learningRate: isAdam(rule) ? rate : plainRate };
      // The recorded run is one of the four, as long as nothing was changed.
      if (rule === base.rule && rate === base.config.learningRate && isShipped(constants)) {
        runs.set(rule, base);
        refresh();
        continue;
      }
      const backend = engine.backend(config.pipeline);
      const order = { rule, config, image: base.image, steps, constants };
      const run = await trainByRule(backend, order, signal, (run) => {
        if (!node.isConnected) return controller.abort();
        if (signal.aborted || run.losses.length % 25 !== 0) return;
        runs.set(rule, run);
        setText(status, `${ruleNames[rule]}: step ${run.losses.length} of ${steps}.`);
        refresh();
      });
      if (signal.aborted) return;
      runs.set(rule, run);
      refresh();
    }
    const by = rules.filter((rule) => !runs.get(rule)?.isOwnUpdate).map((rule) => ruleNames[rule]);
    const own = rules.length - by.length;
    setText(
      status,
      `${steps} steps each, from the same start. ` +
        (own > 0 ? "Adam’s steps were taken by the pipeline itself; " : "") +
        `in ${by.join(" and ")} the pipeline computed the gradients, and this page took the steps.`,
    );
    offer();
  };
  const refresh = () => {
    loss.refresh();
    parameter.refresh();
    showResults();
  };
  const button = element(
    "button",
    { type: "button", disabled: true, onclick: () => start() },
    "Train all four with these settings",
  );
  const start = () => {
    train().catch((error: Error) => {
      setText(status, `The runs could not be trained: ${error.message}`);
      offer();
    });
  };
  /** The button is for settings that are not those of the runs that are shown. */
  const offer = () => {
    button.disabled = !desk.run || settingsKey() === trainedWith;
  };
  const name = element("p", { class: "adam-status" });
  const update = () => {
    setText(name, desk.run ? `The chosen parameter is ${parameterName(desk.run, desk.kept, desk.field)}.` : "");
    offer();
    parameter.refresh();
    if (isSeen && desk.run && trainedWith === "") start();
    if (!desk.run && trainedWith !== "") {
      controller.abort();
      trainedWith = "";
      runs.clear();
      refresh();
    }
  };
  let isSeen = false;
  const node = learnFigure(
    {
      title: "The same job, trained by each rule",
      alt: "The loss over the steps of four runs from one start, one by each rule, and the chosen raw parameter in each.",
      note: "Change η, β₁, β₂ or ε in the figure above, and train again. The decibels below the charts are the PSNR at the last step.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, button),
    ruleLegend(),
    element("div", { class: "learn-columns" }, loss.node, parameter.node),
    name,
    results,
    status,
  );
  desk.observe(node, update);
  desk.observeStep(node, () => {
    loss.goTo(desk.step);
    parameter.goTo(desk.step);
  });
  whenSeen(node, () => {
    isSeen = true;
    desk.record();
    update();
  });
  return node;
}
