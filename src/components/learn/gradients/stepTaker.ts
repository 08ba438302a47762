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

/** Takes a step of the lab's run as soon as there is one, and a later one where the reader asks for it. */
export function stepTaker(lab: Lab, taken: (step: TakenStep) => void): HTMLElement {
  const words = element(
    "span",
    { class: "figure-note", "aria-live": "polite" },
    "The run's first steps are on their way.",
  );
  const button = element("button", { type: "button", disabled: true, onclick: () => take() }, "Take the latest step");
  const take = () => {
    const { run } = lab;
    if (!run?.view) return;
    const { state, gradients, picture } = run.view;
    const { config, target } = run;
    setText(words, `The run as it stands after step ${count(state.step)}.`);
    button.disabled = false;
    ignore();
    taken({ config, image: target.image, step: state.step, parameters: state.parameters, gradients, picture });
  };
  const ignore = lab.observe(() => {
    if (button.disabled) take();
  });
  // The listener may hear of it before who made this has shown it.
  queueMicrotask(take);
  return element("div", { class: "step-taker" }, button, words);
}
