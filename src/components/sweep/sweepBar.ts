import { duration } from "../../engine/duration.js";
import { element } from "../element.js";
import { count, counted, decibels, rate } from "../format.js";
import type { Sweeper } from "./sweeper.js";
import { valueText } from "./sweepFields.js";

/** Start, stop, and how far the sweep has come. */
export function sweepBar(sweeper: Sweeper): HTMLElement {
  const toggle = () => (sweeper.isRunning ? sweeper.stop() : void sweeper.start());
  const start = element("button", { type: "button", class: "primary", disabled: true, onclick: toggle }, "Start");
  const forget = element("button", { type: "button", onclick: () => void sweeper.forget() }, "Forget");
  forget.title = "Forgets what these runs came to, so that they can be trained anew";
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Runs done" });
  const state = element("span", { class: "run-state", "aria-live": "polite" }, "Waiting for a picture");
  const facts = ["runs", "speed", "time left", "PSNR"].map((name) => {
    const value = element("dd", {}, "–");
    return { value, node: element("div", {}, element("dt", {}, name), value) };
  });
  const message = element("p", { class: "run-message", role: "status" });
  const node = element(
    "div",
    { class: "run-bar sweep-bar", role: "group", "aria-label": "Sweep" },
    element("div", { class: "run-buttons" }, start, forget),
    element("div", { class: "run-progress" }, state, bar),
    element("dl", { class: "run-facts" }, ...facts.map(({ node }) => node)),
    message,
  );
  sweeper.observe(() => {
    const { cells, missing, isRunning, running, sweep } = sweeper;
    const trained = cells.filter(({ result }) => result?.status === "done").length;
    const failed = cells.filter(({ result }) => result?.status === "failed").length;
    const able = cells.filter(({ run }) => run.config).length;
    const begun = cells.some(({ run, result }) => run.config && result);
    if (cells.length === 0) return;
    node.dataset.state = isRunning ? "running" : missing.length === 0 ? "done" : begun ? "stopped" : "ready";
    setText(start, isRunning ? "Stop" : begun ? "Go on" : "Start");
    start.disabled = !isRunning && missing.length === 0;
    forget.disabled = isRunning || !begun;
    const live = running?.live;
    const what = running?.run.values.map((value, i) => valueText(sweep!.vary[i].field, value)).join(", ");
    const rest = trained > 0 ? "Stopped" : "Ready";
    setText(state, isRunning ? (what ?? "Starting") : able > 0 && missing.length === 0 ? "Done" : rest);
    bar.value = able > 0 ? (trained + failed + (live ? live.step / running!.run.config!.steps : 0)) / able : 0;
    const left = sweeper.secondsLeft;
    const shown = [
      `${count(trained)} of ${count(able)}`,
      live?.stepsPerSecond ? `${rate(live.stepsPerSecond)} steps/s` : "–",
      left === undefined ? "–" : duration(left),
      live ? decibels(live.psnr) : "–",
    ];
    for (const [i, text] of shown.entries()) setText(facts[i].value, text);
    setText(
      message,
      failed > 0 ? `${counted(failed, "run")} failed; look there to see why.` : (sweeper.store.trouble ?? ""),
    );
  });
  return node;
}

function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
