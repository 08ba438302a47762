import { element } from "../page/element.js";
import { setInputValue } from "./setInputValue.js";
import { stepper } from "./stepper.js";

/** An input for `view`: the moment to which its reader has gone back, or null at the newest one. */
export type Scrubber<Moment> = HTMLElement & {
  value: Moment | null;
  /** Goes through these from now on. Who has gone back stays at that step; who has not is at the newest one. */
  setMoments(moments: readonly Moment[]): void;
  /** Goes to one of them. */
  choose(moment: Moment): void;
};

/**
 * Goes through moments in time, by dragging, by keys, by touch, or playing.
 * @param name what is gone through, such as "Step of the film"
 * @param stepOf the step of a moment
 * @param describe a moment in words; the newest one is told as such
 */
export function scrubber<Moment>(
  name: string,
  stepOf: (moment: Moment) => number,
  describe: (moment: Moment, isNewest: boolean) => string,
): Scrubber<Moment> {
  const steps = stepper(name, { count: 1, perSecond: 4 });
  const node = element("div", { class: "scrubber" }, steps) as unknown as Scrubber<Moment>;
  let moments: readonly Moment[] = [];
  const isNewest = (at: number) => at >= moments.length - 1;
  node.value = null;
  const setMoment = (moment: Moment | null) => {
    node.classList.toggle("is-held", moment !== null);
    if (moment === node.value) return;
    node.value = moment;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  steps.addEventListener("input", (event) => {
    event.stopPropagation();
    setMoment(isNewest(steps.value) ? null : moments[steps.value]);
  });
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
