import type { Picture } from "../../../engine/image.js";
import { element, setText } from "../../element.js";
import { count } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import type { StepSource } from "./pixelGradients.js";

/** A step of a run, held while the run goes on. */
export interface TakenStep extends StepSource {
  /** The blobs as the step finds them. */
  picture: Picture;
}

/** Steps that a run has done before it shows something of itself. */
const firstStep = 50;

/** Takes a step of the lab's run as soon as it has learned a little, and another one where the reader asks for it. */
export function stepTaker(lab: Lab, taken: (step: TakenStep) => void): HTMLElement {
  const words = element(
    "span",
    { class: "figure-note", "aria-live": "polite" },
    "The run's first steps are on their way.",
  );
  const button = element("button", { type: "button", disabled: true, onclick: () => take() }, "Take the latest step");
  const take = () => {
    const { run } = lab;
    if (!run?.look) return;
    const { state, gradients, picture } = run.look;
    const { config, target } = run;
    setText(words, `The run as it stands after step ${count(state.step)}.`);
    ignore();
    taken({ config, image: target.image, step: state.step, parameters: state.parameters, gradients, picture });
  };
  const takeFirst = () => {
    const { run } = lab;
    if (!run?.look) return;
    button.disabled = false;
    if (run.status !== "running" || run.look.state.step >= firstStep) take();
  };
  const ignore = lab.observe(takeFirst);
  // Not before who made this has placed it.
  queueMicrotask(takeFirst);
  return element("div", { class: "step-taker" }, button, words);
}
