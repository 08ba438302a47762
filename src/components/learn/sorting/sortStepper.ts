import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { setInputValue } from "../../inputs/setInputValue.js";
import { stepper } from "../../inputs/stepper.js";
import { describeSortStep } from "./descriptions.js";
import { progressAt, type SortProgress, type SortRecord, type StepBy, stepCount, stepOfPass } from "./sortModel.js";

/** An input for `view` with the state of a sort as its value. */
export type SortStepper = HTMLElement & { value: SortProgress; goToPass(pass: number): void };

/** Returns a stepper through a sort by passes or by comparators; it stays at its pass when the reader switches. */
export function sortStepper(record: SortRecord, value = 0): SortStepper {
  const stepBy = Inputs.radio<StepBy>(["pass", "comparator"], { label: "Step by", value: "pass" });
  const steps = stepper("Step of the sort", { count: stepCount(record, stepBy.value), perSecond: 3 });
  const showSteps = (value: number) => {
    const by = stepBy.value;
    const describe = (index: number) => describeSortStep(record, by, index);
    steps.setSteps({ count: stepCount(record, by), describe, value });
    return by;
  };
  let by = showSteps(value);
  stepBy.oninput = () => {
    const { step, pass } = progressAt(record, by, steps.value);
    by = showSteps(step === 0 ? 0 : stepOfPass(record, stepBy.value, pass));
  };
  const goToPass = (pass: number) => setInputValue(steps, stepOfPass(record, by, pass));
  const node = Object.assign(html`<div>${stepBy}${steps}</div>`, { goToPass });
  return Object.defineProperty(node, "value", { get: () => progressAt(record, by, steps.value) }) as SortStepper;
}
