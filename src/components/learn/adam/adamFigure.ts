import * as Plot from "@observablehq/plot";
import { rawNames } from "../../../engine/blobs.js";
import { adamConstants } from "../../../engine/cpu/adam.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element } from "../../element.js";
import { count } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { learnFigure, whenSeen } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { stepper } from "../stepper.js";
import { inputControls, ruleControls } from "./adamControls.js";
import { type AdamDesk, type AdamInput, deskOf } from "./adamDesk.js";
import { adamTable, small } from "./adamTable.js";
import { blobPicker } from "./blobPicker.js";
import { flatParts } from "./decoded.js";
import { kernelCheck } from "./kernelCheck.js";
import { lineByLine } from "./lineByLine.js";
import type { Replay } from "./replay.js";
import { ruleLegend, ruleStyles } from "./ruleStyles.js";
import { isAdam, type Rule, rules } from "./rules.js";
import { logScale, symmetricScale, type TraceLine, traceChart } from "./traceChart.js";
import type { TrainedRun } from "./training.js";

/**
 * One raw parameter of a training run: the gradients that it got, and what Adam with either correction, momentum alone
 * and gradient descent make of them.
 * @param lab whose job is recorded
 */
export function adamFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  const desk = deskOf(engine, lab);
  let input: AdamInput | undefined;
  let all: Record<Rule, Replay> | undefined;
  const lineOf = (rule: Rule, values: ArrayLike<number>): TraceLine => ({ name: rule, values, ...ruleStyles[rule] });
  const go = (step: number) => steps.goTo(step);
  const ifReplayed = <T>(make: (input: AdamInput, all: Record<Rule, Replay>) => T) =>
    input && all ? make(input, all) : undefined;

  const charts = [
    traceChart(
      "Gradient g",
      150,
      () =>
        ifReplayed(({ gradients }) => ({
          lines: [{ name: "g", values: gradients, stroke: "var(--theme-foreground)" }],
          y: symmetricScale(Array.from(gradients), "↑ loss per raw unit"),
          isLast: false,
          below: [Plot.ruleY([0], { stroke: "var(--line)" })],
        })),
      go,
    ),
    traceChart(
      "Mean of the gradients: m̂, and m of momentum",
      150,
      () =>
        ifReplayed((_, all) => {
          const shown: Rule[] = ["constant", "exact", "momentum"];
          const lines = shown.map((rule) => lineOf(rule, all[rule].first));
          return {
            lines,
            y: symmetricScale(
              lines.flatMap(({ values }) => Array.from(values)),
              "↑ loss per raw unit",
            ),
          };
        }),
      go,
    ),
    traceChart(
      "Their size: √v̂",
      150,
      () =>
        ifReplayed((_, all) => {
          const lines = rules.filter(isAdam).map((rule) => lineOf(rule, all[rule].second.map(Math.sqrt)));
          return {
            lines,
            y: logScale(
              lines.flatMap(({ values }) => Array.from(values)),
              "↑ loss per raw unit",
            ),
          };
        }),
      go,
    ),
    traceChart(
      "Step",
      170,
      () =>
        ifReplayed((_, all) => {
          // The scale is Adam's: the other two may take steps of any length.
          const adam = rules.filter(isAdam).flatMap((rule) => Array.from(all[rule].updates, Math.abs));
          const most = adam.reduce((a, b) => Math.max(a, b), 0) || desk.settings.rate;
          const rate = desk.rateAt("constant", 1);
          return {
            lines: rules.map((rule) => lineOf(rule, all[rule].updates)),
            y: { label: "↑ raw units", domain: [-1.15 * most, 1.15 * most], ticks: 5 },
            isLast: false,
            below: [
              Plot.ruleY([0], { stroke: "var(--line)" }),
              Plot.ruleY([-rate, rate], { stroke: "var(--theme-foreground-faint)", strokeDasharray: "1 4" }),
            ],
          };
        }),
      go,
    ),
    traceChart(
      "Raw parameter",
      190,
      () =>
        ifReplayed((input, all) => {
          const adam = rules.filter(isAdam).flatMap((rule) => Array.from(all[rule].parameters));
          const low = Math.min(
            input.start,
            adam.reduce((a, b) => Math.min(a, b)),
          );
          const high = Math.max(
            input.start,
            adam.reduce((a, b) => Math.max(a, b)),
          );
          const spare = 0.15 * (high - low) || 0.1;
          const domain: [number, number] = [low - spare, high + spare];
          const flat =
            input.isRecorded && desk.run ? flatParts(desk.run.config, desk.run.image, desk.field, domain) : [];
          const y = (from: number, to: number) => ({ y1: from, y2: to });
          return {
            lines: rules.map((rule) => lineOf(rule, all[rule].parameters)),
            y: { label: "↑ raw units", domain, ticks: 5 },
            below: flat.map(([from, to]) =>
              Plot.rect([y(from, to)], { y1: "y1", y2: "y2", fill: "var(--theme-foreground)", fillOpacity: 0.09 }),
            ),
          };
        }),
      go,
    ),
  ];
  const things = ["code:adam.gradient", "code:adam.first", "code:adam.second", "code:adam.step", "code:adam.parameter"];
  for (const [at, { node }] of charts.entries()) standsFor(node.querySelector("figcaption")!, things[at]);

  const words = element("p", { class: "adam-status", role: "status" });
  const table = adamTable(desk);
  const lines = lineByLine(engine.shaders, desk);
  const kernel = kernelCheck(engine, desk);
  const drawStep = () => {
    for (const chart of charts) chart.goTo(desk.step);
    ifReplayed((input, all) => {
      table.show(input, all);
      lines.show(input, all);
    });
  };
  const noSteps = { count: 1, show: () => {}, describe: () => desk.words };
  const steps = stepper("Training step", noSteps, 12);
  const update = () => {
    words.textContent = desk.words;
    input = desk.input;
    all = input && desk.replays(input);
    for (const chart of charts) chart.refresh();
    if (!input) return steps.reset(noSteps);
    const { gradients } = input;
    const stepSteps = {
      count: gradients.length,
      show: (step: number) => {
        desk.goTo(step);
        drawStep();
      },
      describe: (step: number) =>
        `Step ${step + 1} of ${gradients.length}: the gradient of ${nameOf(desk)} is ${small(gradients[step])}.`,
    };
    steps.reset(stepSteps, Math.min(desk.step, gradients.length - 1));
    kernel.check();
  };
  desk.observe(update);
  desk.observeStep(() => {
    if (input && steps.index !== desk.step) steps.goTo(desk.step);
  });

  const node = learnFigure(
    {
      title: "One raw parameter, and four rules",
      alt:
        "Five charts over the same training steps: the gradient of one raw parameter, the mean and the size that the " +
        "rules keep of it, the step that each rule takes, and the raw parameter that comes of it.",
      note:
        "Drag across the charts, or use the keys of the timeline. The dotted lines of the fourth chart are one η either way; " +
        "in the grey parts of the last one the decoded value stands still, and the gradient is zero. Lines that leave a chart " +
        "belong to rules without v, whose steps are as long as the gradient makes them.",
      isWide: true,
    },
    words,
    element(
      "div",
      { class: "adam-choice" },
      blobPicker(desk),
      element(
        "div",
        {},
        inputControls(desk),
        element(
          "p",
          { class: "learn-note" },
          `The kernels hold β₁ = ${adamConstants.beta1}, β₂ = ${adamConstants.beta2} and ε = 10⁻⁸ as constants; other values are tried here by their twin alone.`,
        ),
      ),
    ),
    ruleControls(desk),
    ruleLegend(),
    steps.node,
    element("div", { class: "adam-charts" }, ...charts.map((chart) => chart.node)),
    table.node,
    kernel.node,
    lines.node,
  );
  update();
  whenSeen(node, () => {
    desk.record();
    let wasConnected = false;
    const ignore = lab.observe(() => {
      wasConnected ||= node.isConnected;
      if (wasConnected && !node.isConnected) return ignore();
      desk.record();
    });
  });
  return node;
}

/** What is fed into the rules, in words. */
function nameOf({ run, kept, field, source }: AdamDesk): string {
  return source === "recorded" && run ? parameterName(run, kept, field) : `the sequence “${source}”`;
}

/** A parameter of a run, in words. */
export function parameterName(run: TrainedRun, kept: number, field: number): string {
  return `${rawNames(run.config.parameterization)[field].replaceAll("_", " ")} of blob ${count(run.kept[kept])}`;
}
