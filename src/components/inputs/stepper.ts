import { html } from "htl";
import { setText, uniqueId } from "../page/element.js";

export interface StepperOptions {
  /** Number of steps, at least 1. */
  count: number;
  /** Returns the text of a step. Screen readers announce it. */
  describe?: (index: number) => string;
  /** The initial step, counted from 0. */
  value?: number;
  /** Steps per second while playing. */
  perSecond?: number;
}

/** An input for `view`. Its value is the index of a step, from 0. `Inputs.bind` links it with other inputs. */
export type Stepper = HTMLElement & {
  value: number;
  /** Replaces the steps without an event. The current step stays if it still exists and no value is given. */
  setSteps(steps: Pick<StepperOptions, "count" | "describe" | "value">): void;
};

/**
 * Returns an input that goes through steps: back, forward, play, and a timeline to drag.
 * @param name the accessible name, such as "Pass of the sort"
 */
export function stepper(
  name: string,
  { count, describe = () => "", value = 0, perSecond = 2 }: StepperOptions,
): Stepper {
  let timer: ReturnType<typeof setInterval> | undefined;
  let at = 0;
  let lastIndex = count - 1;
  const button = (label: string, sign: string, next: () => number) => {
    const onclick = () => {
      pause();
      goTo(next());
    };
    return html`<button type="button" aria-label=${label} title=${label} onclick=${onclick}>${sign}</button>`;
  };
  const first = button("To the first step", "«", () => 0);
  const back = button("One step back", "‹", () => at - 1);
  const forward = button("One step forward", "›", () => at + 1);
  const last = button("To the last step", "»", () => lastIndex);
  const play = html<HTMLButtonElement>`<button
    type="button" class="stepper-play" onclick=${() => pressPlay()}
  >Play</button>`;
  // Listeners of this element get only its own events.
  const oninput = (event: Event) => {
    event.stopPropagation();
    pause();
    goTo(Number(timeline.value));
  };
  const timeline = html<HTMLInputElement>`<input
    type="range" min="0" max=${lastIndex} step="1" aria-label=${name} oninput=${oninput}
  >`;
  const stepText = html`<output id=${uniqueId("step")} aria-live="polite"></output>`;
  const node = html<Stepper>`<div class="stepper" role="group" aria-label=${name}>
    ${[first, back, play, forward, last, timeline, stepText]}
  </div>`;

  const show = (index: number) => {
    at = Math.min(Math.max(Math.round(index), 0), lastIndex);
    const text = describe(at);
    timeline.value = String(at);
    timeline.setAttribute("aria-valuetext", text);
    // A disabled button would lose the keyboard focus.
    for (const button of [first, back]) button.ariaDisabled = String(at === 0);
    for (const button of [forward, last]) button.ariaDisabled = String(at === lastIndex);
    setText(stepText, text);
  };
  const dispatchInput = () => node.dispatchEvent(new Event("input", { bubbles: true }));
  const goTo = (index: number) => {
    const previous = at;
    show(index);
    if (at !== previous) dispatchInput();
  };
  const pause = () => {
    clearInterval(timer);
    timer = undefined;
    setText(play, "Play");
    stepText.ariaLive = "polite";
  };
  const pressPlay = () => {
    if (timer !== undefined) return pause();
    if (at === lastIndex) goTo(0);
    // Playing is not announced.
    stepText.ariaLive = "off";
    setText(play, "Pause");
    timer = setInterval(() => {
      if (node.isConnected) goTo(at + 1);
      if (!node.isConnected || at === lastIndex) pause();
    }, 1000 / perSecond);
  };
  const setSteps: Stepper["setSteps"] = ({ count, describe: next = () => "", value = at < count ? at : 0 }) => {
    lastIndex = count - 1;
    describe = next;
    timeline.max = String(lastIndex);
    timeline.disabled = play.disabled = lastIndex < 1;
    // Replacing the steps is not announced either.
    stepText.ariaLive = "off";
    show(value);
  };
  setSteps({ count, describe, value });
  return Object.defineProperty(Object.assign(node, { setSteps }), "value", { get: () => at, set: show });
}
