import * as Inputs from "observablehq:stdlib/inputs";
import { type Stepper, stepper } from "../../inputs/stepper.js";
import { element } from "../../page/element.js";
import { type Moment, momentOf, type SortRecord, type StepBy, stepCount, stepOfPass } from "./sortModel.js";
import { sortWords } from "./words.js";

/** An input for `view`, whose value is a moment of a sort. */
export type SortStepper = HTMLElement & { value: Moment; goToPass(pass: number): void };

/** Goes through a sort by passes or by comparators, and stays at its pass where the reader takes the other way. */
export function sortStepper(record: SortRecord, first = 0): SortStepper {
  const way = Inputs.radio<StepBy>(["pass", "comparator"], { label: "Step by", value: "pass" });
  const stepsFrom = (step: number): Stepper =>
    stepper("Step of the sort", {
      count: stepCount(record, way.value),
      describe: (index) => sortWords(record, way.value, index),
      value: step,
      perSecond: 3,
    });
  let steps = stepsFrom(first);
  let moment = momentOf(record, way.value, first);
  const node = element("div", {}, way, steps) as unknown as SortStepper;
  way.addEventListener("input", () => {
    if (way.value === moment.by) return;
    const next = stepsFrom(moment.step === 0 ? 0 : stepOfPass(record, way.value, moment.pass));
    steps.replaceWith(next);
    steps = next;
  });
  // What its parts tell comes by here before who observes this element hears of it.
  node.addEventListener("input", () => {
    moment = momentOf(record, way.value, steps.value);
  });
  node.goToPass = (pass) => {
    steps.value = stepOfPass(record, way.value, pass);
    steps.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return Object.defineProperty(node, "value", { get: () => moment });
}
