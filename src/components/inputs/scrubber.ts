import { html } from "htl";
import { setInputValue } from "./setInputValue.js";
import { stepper } from "./stepper.js";

/** An input for `view`. Its value is the chosen moment, or null at the latest. */
export type Scrubber<Moment> = HTMLElement & {
  value: Moment | null;
  /** Replaces the moments. A chosen step stays chosen; otherwise the latest is shown. */
  setMoments(moments: readonly Moment[]): void;
  /** Chooses one of the moments. */
  choose(moment: Moment): void;
};

/**
 * Returns an input that goes through moments in time by dragging, keys, touch or playing.
 * @param name the accessible name, such as "Step of the film"
 * @param stepOf returns the step of a moment
 * @param describe returns the text of a moment
 */
export function scrubber<Moment>(
  name: string,
  stepOf: (moment: Moment) => number,
  describe: (moment: Moment, isNewest: boolean) => string,
): Scrubber<Moment> {
  const steps = stepper(name, { count: 1, perSecond: 4 });
  const node = html`<div class="scrubber">${steps}</div>` as unknown as Scrubber<Moment>;
  let moments: readonly Moment[] = [];
  const isNewest = (at: number) => at >= moments.length - 1;
  node.value = null;
  const setMoment = (moment: Moment | null) => {
    node.classList.toggle("is-chosen", moment !== null);
    if (moment === node.value) return;
    node.value = moment;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  steps.oninput = (event) => {
    event.stopPropagation();
    setMoment(isNewest(steps.value) ? null : moments[steps.value]);
  };
  node.choose = (moment) => setInputValue(steps, moments.indexOf(moment));
  node.setMoments = (next) => {
    moments = next;
    const chosenStep = node.value === null ? Number.POSITIVE_INFINITY : stepOf(node.value);
    const index = moments.findLastIndex((moment) => stepOf(moment) <= chosenStep);
    steps.setSteps({
      count: Math.max(1, moments.length),
      describe: (at) => (moments.length > 0 ? describe(moments[at], isNewest(at)) : ""),
      value: Math.max(0, index),
    });
    if (isNewest(index)) setMoment(null);
  };
  return node;
}
