import { onceVisible } from "../figures/onceVisible.js";
import { element, setText, uniqueId } from "../page/element.js";

export interface StepperOptions {
  /** How many steps there are, at least one. */
  count: number;
  /** A step in words, beside the timeline; read out where the reader steps. */
  describe?: (index: number) => string;
  /** The step to begin at, counted from 0. */
  value?: number;
  /** Steps a second while it plays. */
  perSecond?: number;
  /** Whether it plays by itself, once, when it is first in sight, unless the reader wants less to move. */
  plays?: boolean;
}

/** An input for `view`, whose value is a step's number, counted from 0; `Inputs.bind` links it with others. */
export type Stepper = HTMLElement & {
  value: number;
  /** Replaces the steps without an event. Stays at its step if that still exists and no other one is given. */
  setSteps(steps: Pick<StepperOptions, "count" | "describe" | "value">): void;
};

/**
 * Goes through steps: back, forward, play, and a timeline to drag.
 * @param name what is stepped through, such as "Pass of the sort"
 */
export function stepper(
  name: string,
  { count, describe = () => "", value = 0, perSecond = 2, plays = false }: StepperOptions,
): Stepper {
  let timer: ReturnType<typeof setInterval> | undefined;
  let at = 0;
  let lastIndex = count - 1;
  /** Whether its reader has stepped or played it. From then on its events bubble. */
  let isTouched = false;
  const button = (label: string, sign: string, next: () => number) => {
    const onclick = () => {
      pause();
      goTo(next());
    };
    return element("button", { type: "button", "aria-label": label, title: label, onclick }, sign);
  };
  const first = button("To the first step", "«", () => 0);
  const back = button("One step back", "‹", () => at - 1);
  const forward = button("One step forward", "›", () => at + 1);
  const last = button("To the last step", "»", () => lastIndex);
  const play = element("button", { type: "button", class: "stepper-play", onclick: () => pressPlay() }, "Play");
  // Whoever observes this element hears of its steps alone.
  const oninput = (event: Event) => {
    event.stopPropagation();
    pause();
    goTo(Number(timeline.value));
  };
  const range = { type: "range", min: 0, max: lastIndex, step: 1, "aria-label": name, oninput };
  const timeline = element("input", range);
  const stepText = element("output", { id: uniqueId("step"), class: "stepper-words", "aria-live": "polite" });
  const node = element(
    "div",
    { class: "stepper", role: "group", "aria-label": name },
    element("div", { class: "stepper-buttons" }, first, back, play, forward, last),
    timeline,
    stepText,
  ) as unknown as Stepper;

  const show = (index: number) => {
    at = Math.min(Math.max(Math.round(index), 0), lastIndex);
    const text = describe(at);
    timeline.value = String(at);
    timeline.setAttribute("aria-valuetext", text);
    // They keep the focus of who steps by keys, so they are not disabled in earnest.
    for (const button of [first, back]) button.ariaDisabled = String(at === 0);
    for (const button of [forward, last]) button.ariaDisabled = String(at === lastIndex);
    setText(stepText, text);
  };
  const dispatchInput = () => node.dispatchEvent(new Event("input", { bubbles: isTouched }));
  const goTo = (index: number) => {
    const previous = at;
    show(index);
    if (at !== previous) dispatchInput();
  };
  const pause = () => {
    isTouched = true;
    clearInterval(timer);
    timer = undefined;
    setText(play, "Play");
    stepText.ariaLive = "polite";
  };
  const pressPlay = () => {
    isTouched = true;
    toggle();
  };
  const toggle = () => {
    if (timer !== undefined) return pause();
    if (at === lastIndex) goTo(0);
    // What changes by itself is not read out.
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
    // Nor are other words for where it stands.
    stepText.ariaLive = "off";
    show(value);
  };
  setSteps({ count, describe, value });
  if (plays && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    onceVisible(node, () => isTouched || toggle(), "-40px");
  }
  return Object.defineProperty(Object.assign(node, { setSteps }), "value", { get: () => at, set: show });
}
