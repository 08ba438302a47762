import { rawNames } from "../../../engine/blobs.js";
import { adamConstants } from "../../../engine/cpu/adam.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element } from "../../element.js";
import { count } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { whenSeen } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { stepper } from "../stepper.js";
import { whileShown } from "../whileShown.js";
import { adamCharts } from "./adamCharts.js";
import { inputControls, ruleControls } from "./adamControls.js";
import { type AdamDesk, type AdamInput, deskOf } from "./adamDesk.js";
import { adamTable, small } from "./adamTable.js";
import { blobPicker } from "./blobPicker.js";
import { kernelCheck } from "./kernelCheck.js";
import { lineByLine } from "./lineByLine.js";
import type { Replay } from "./replay.js";
import { ruleLegend } from "./ruleStyles.js";
import type { Rule } from "./rules.js";
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
  const go = (step: number) => steps.goTo(step);

  const charts = adamCharts(desk, () => (input && all ? { input, all } : undefined), go);

  const words = element("p", { class: "adam-status", role: "status" });
  const table = adamTable(desk);
  const lines = lineByLine(engine.shaders, desk);
  const kernel = kernelCheck(engine, desk);
  const drawStep = () => {
    for (const chart of charts) chart.goTo(desk.step);
    if (!input || !all) return;
    table.show(input, all);
    lines.show(input, all);
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
  desk.observe(node, update);
  desk.observeStep(node, () => {
    if (input && steps.index !== desk.step) steps.goTo(desk.step);
  });
  update();
  whenSeen(node, () => {
    desk.record();
    const ignore = lab.observe(
      whileShown(
        node,
        () => desk.record(),
        () => ignore(),
      ),
    );
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
