import { html } from "htl";
import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { button, setText } from "../page/element.js";
import { count, decibels } from "../page/format.js";
import { updateWhileShown } from "./follow.js";
import type { Inspection } from "./readbacks.js";
import type { Run } from "./run.js";

/** An input for `view`: the chosen inspection, or null for the latest step. */
export type Timeline = HTMLElement & { value: Inspection | null };

/** Inspections per second of a replay. */
const perSecond = 4;

const latestText = "latest step";

/**
 * Returns an input that shows the progress of a run and goes back through it, by dragging, keys or a replay. Its value is
 * the chosen `Inspection`, or null for the latest step. The choice stays while new steps arrive, and returns to the latest
 * step if the run starts over.
 */
export function timeline(run: Run): Timeline {
  let timer: ReturnType<typeof setInterval> | undefined;
  const moments = () => run.inspectionHistory.inspections;
  let description = latestText;
  const describe = ({ state, render }: Inspection) =>
    `step ${count(state.step)}: ${decibels(psnrOfLoss(lossOf(render, run.target.image)))}`;
  const shownStep = () => node.value?.state.step ?? run.step;
  /** Returns the index of the shown inspection, or of the one before it if that was dropped. */
  const shownIndex = () => moments().findLastIndex(({ state }) => state.step <= shownStep());

  const choose = (index: number) => {
    const moment = index >= moments().length - 1 ? null : moments()[Math.max(index, 0)];
    if (moment !== node.value) {
      node.value = moment;
      description = moment ? describe(moment) : latestText;
      node.dispatchEvent(new Event("input", { bubbles: true }));
    }
    show();
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    show();
  };
  const toggleReplay = () => {
    if (timer !== undefined) return stop();
    choose(0);
    timer = setInterval(() => {
      if (node.isConnected) choose(shownIndex() + 1);
      if (!node.isConnected || node.value === null) stop();
    }, 1000 / perSecond);
    show();
  };
  const slide = (event: Event) => {
    event.stopPropagation();
    if (timer !== undefined) stop();
    const step = slider.valueAsNumber;
    const distances = [...moments().map(({ state }) => Math.abs(state.step - step)), Math.abs(run.step - step)];
    choose(distances.indexOf(Math.min(...distances)));
  };
  // A key goes to the next inspection, wherever it is.
  const press = (event: KeyboardEvent) => {
    const last = moments().length - 1;
    const index = { Home: 0, End: last, ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (index === undefined) return;
    event.preventDefault();
    if (timer !== undefined) stop();
    choose(/^Arrow/.test(event.key) ? shownIndex() + index : index);
  };
  const replay = button("Replay", toggleReplay);
  replay.className = "quiet";
  const slider = html<HTMLInputElement>`<input
    type="range" min="0" step="1" aria-label="Displayed step" oninput=${slide} onkeydown=${press}
  >`;
  const text = html`<output class="quiet"></output>`;
  const node = html<Timeline>`<div class="timeline" role="group" aria-label="Displayed step">${[replay, slider, text]}</div>`;
  node.value = null;

  const show = () => {
    slider.max = String(run.until);
    slider.value = String(shownStep());
    slider.style.setProperty("--shown", `${(100 * shownStep()) / run.until}%`);
    slider.style.setProperty("--trained", `${(100 * run.step) / run.until}%`);
    slider.disabled = replay.disabled = moments().length < 2;
    setText(replay, timer === undefined ? "Replay" : "Stop");
    // A replay is not announced, and neither is training.
    text.ariaLive = node.value && timer === undefined ? "polite" : "off";
    setText(text, description);
    slider.setAttribute("aria-valuetext", description);
  };
  void updateWhileShown(run, node, () => {
    if (node.value && moments().length === 0) choose(0);
    show();
  });
  return node;
}
