import { element, setText, uniqueId } from "../element.js";

/** What a stepper steps through. */
export interface Steps {
  /** How many there are, at least one. */
  count: number;
  /** Draws a step, counted from 0. */
  show: (index: number) => void;
  /** A step in words, beside the timeline; read out where the reader steps. */
  describe: (index: number) => string;
}

/** The controls of a figure that goes through steps: back, forward, play, and a timeline to drag. */
export interface Stepper {
  readonly node: HTMLElement;
  readonly index: number;
  goTo(index: number): void;
  /** Other steps in place of these, from the first one on unless told otherwise. */
  reset(steps: Steps, index?: number): void;
}

/**
 * @param name what is stepped through, such as "Pass of the sort"
 * @param perSecond steps a second while it plays
 */
export function stepper(name: string, steps: Steps, perSecond = 2): Stepper {
  let current = steps;
  let index = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const button = (label: string, sign: string, go: () => void) =>
    element("button", { type: "button", "aria-label": label, title: label, onclick: () => byHand(go) }, sign);
  const first = button("To the first step", "«", () => goTo(0));
  const back = button("One step back", "‹", () => goTo(index - 1));
  const forward = button("One step forward", "›", () => goTo(index + 1));
  const last = button("To the last step", "»", () => goTo(current.count - 1));
  const play = element("button", { type: "button", class: "stepper-play", onclick: () => toggle() }, "Play");
  const timeline = element("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": name,
    oninput: () => byHand(() => goTo(Number(timeline.value))),
  });
  const words = element("output", { id: uniqueId("step"), class: "stepper-words", "aria-live": "polite" });
  const node = element(
    "div",
    { class: "stepper", role: "group", "aria-label": name },
    element("div", { class: "stepper-buttons" }, first, back, play, forward, last),
    timeline,
    words,
  );

  const draw = () => {
    timeline.max = String(current.count - 1);
    timeline.value = String(index);
    timeline.disabled = current.count < 2;
    const text = current.describe(index);
    timeline.setAttribute("aria-valuetext", text);
    // They keep the focus of who steps by keys, so they are not disabled in earnest.
    for (const button of [first, back]) button.ariaDisabled = String(index === 0);
    for (const button of [forward, last]) button.ariaDisabled = String(index === current.count - 1);
    play.disabled = current.count < 2;
    current.show(index);
    setText(words, text);
  };
  const goTo = (next: number) => {
    index = Math.min(Math.max(Math.round(next), 0), current.count - 1);
    draw();
  };
  const pause = () => {
    clearInterval(timer);
    timer = undefined;
    setText(play, "Play");
    words.ariaLive = "polite";
  };
  const byHand = (go: () => void) => {
    pause();
    go();
  };
  const toggle = () => {
    if (timer !== undefined) return pause();
    if (index === current.count - 1) goTo(0);
    // What changes by itself is not read out.
    words.ariaLive = "off";
    setText(play, "Pause");
    timer = setInterval(() => {
      if (!node.isConnected || index === current.count - 1) return pause();
      goTo(index + 1);
      if (index === current.count - 1) pause();
    }, 1000 / perSecond);
  };
  draw();
  return {
    node,
    get index() {
      return index;
    },
    goTo: (next) => byHand(() => goTo(next)),
    reset(next, at = 0) {
      pause();
      current = next;
      goTo(at);
    },
  };
}
