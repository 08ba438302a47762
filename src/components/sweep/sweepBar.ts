import { duration } from "../../engine/duration.js";
import { deleteButton } from "../inputs/deleteButton.js";
import { element, say, setText } from "../page/element.js";
import { count, counted, decibels, rate } from "../page/format.js";
import { tellTrouble } from "../page/help.js";
import { whileFollowed } from "../training/follow.js";
import { nameOf, type SweepTraining } from "./sweepTraining.js";

/** Start, stop, and how far the sweep has come. */
export function sweepBar(training: SweepTraining): HTMLElement {
  const toggle = () => (training.isRunning ? training.stop() : training.start());
  const start = element("button", { type: "button", class: "primary", disabled: true, onclick: toggle }, "Start sweep");
  const title = "Deletes the results of these runs, so that they can be trained again";
  const forget = element("button", { type: "button", title, onclick: () => void training.forget() }, "Delete results");
  const { store } = training.job;
  const clear = deleteButton("Delete results of all sweeps", undefined, async () => {
    await store.clear();
    training.tell();
  });
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Runs done" });
  const state = element("span", { class: "run-state", role: "status" });
  const facts = ["runs", "speed", "time left", "training PSNR"].map((name) => ({
    name,
    value: element("dd", {}, "–"),
  }));
  const message = element("p", { class: "run-message", role: "status" });
  const pairs = facts.map(({ name, value }) => element("div", {}, element("dt", {}, name), value));
  const parts = [
    element("div", { class: "run-buttons" }, start, forget, clear),
    element("div", { class: "run-progress" }, state, bar),
    element("dl", { class: "run-facts" }, ...pairs),
    message,
  ];
  const node = element("div", { class: "run-bar sweep-bar", role: "group", "aria-label": "Sweep" }, ...parts);
  void whileFollowed(training, node, () => {
    const { runs, missing, isRunning, secondsLeft: left, job } = training;
    const able = runs.filter(({ plan }) => plan.config);
    const numberOf = (status: string) => able.filter(({ result }) => result?.status === status).length;
    const [trained, failed] = [numberOf("done"), numberOf("failed")];
    const begun = able.some(({ result }) => result);
    const isDone = missing.length === 0;
    const under = runs[training.running];
    node.dataset.state = isRunning ? "running" : isDone ? "done" : begun ? "stopped" : "ready";
    setText(start, isRunning ? "Stop" : begun ? "Resume" : "Start sweep");
    start.disabled = !isRunning && isDone;
    forget.disabled = isRunning || !begun;
    const rest = able.length > 0 && isDone ? "Done" : trained > 0 ? "Stopped" : "Ready";
    say(state, !isRunning ? rest : under ? nameOf(job.sweep, under.plan) : "Starting", !isRunning);
    const share = under ? under.live!.step / under.plan.config!.steps : 0;
    bar.value = (trained + failed + share) / Math.max(1, able.length);
    const texts = [
      `${count(trained)} of ${count(able.length)}`,
      under?.live?.stepsPerSecond ? `${rate(under.live.stepsPerSecond)} steps/s` : "–",
      left === undefined ? "–" : duration(left),
      under ? decibels(under.live!.psnr) : "–",
    ];
    for (const [i, text] of texts.entries()) setText(facts[i].value, text);
    if (failed > 0) {
      tellTrouble(
        message,
        `${counted(failed, "run")} failed. Select a failed run to see why.`,
        "A kernel does not run",
      );
    } else tellTrouble(message, store.trouble ?? "", "Runs or edits cannot be saved");
    clear.hidden = !store.isFull;
  });
  return node;
}
