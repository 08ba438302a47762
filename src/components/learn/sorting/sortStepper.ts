import * as Inputs from "observablehq:stdlib/inputs";
import { type Stepper, stepper } from "../../inputs/stepper.js";
import { element } from "../../page/element.js";
import { describeSortStep } from "./descriptions.js";
import { progressAt, type SortProgress, type SortRecord, type StepBy, stepCount, stepOfPass } from "./sortModel.js";

/** An input for `view`, whose value is a moment of a sort. */
export type SortStepper = HTMLElement & { value: SortProgress; goToPass(pass: number): void };

/** Goes through a sort by passes or by comparators, and stays at its pass where the reader takes the other way. */
export function sortStepper(record: SortRecord, first = 0): SortStepper {
  const stepByInput = Inputs.radio<StepBy>(["pass", "comparator"], { label: "Step by", value: "pass" });
  const createStepper = (step: number): Stepper =>
    stepper("Step of the sort", {
      count: stepCount(record, stepByInput.value),
      describe: (index) => describeSortStep(record, stepByInput.value, index),
      value: step,
      perSecond: 3,
    });
  let steps = createStepper(first);
  let progress = progressAt(record, stepByInput.value, first);
  const node = element("div", {}, stepByInput, steps) as unknown as SortStepper;
  stepByInput.addEventListener("input", () => {
    if (stepByInput.value === progress.by) return;
    const next = createStepper(progress.step === 0 ? 0 : stepOfPass(record, stepByInput.value, progress.pass));
    steps.replaceWith(next);
    steps = next;
  });
  // What its parts tell comes by here before who observes this element hears of it.
  node.addEventListener("input", () => {
    progress = progressAt(record, stepByInput.value, steps.value);
  });
  node.goToPass = (pass) => {
    steps.value = stepOfPass(record, stepByInput.value, pass);
    steps.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return Object.defineProperty(node, "value", { get: () => progress });
}
