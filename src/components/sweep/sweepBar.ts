import { duration } from "../../engine/duration.js";
import { deleteButton } from "../inputs/deleteButton.js";
import { announce, element, setText } from "../page/element.js";
import { count, counted, decibels, rate } from "../page/format.js";
import { showError } from "../page/help.js";
import { updateWhileShown } from "../training/follow.js";
import { runName, type SweepTraining } from "./sweepTraining.js";

/** Start, stop, and how far the sweep has come. */
export function sweepBar(training: SweepTraining): HTMLElement {
  const toggle = () => (training.isRunning ? training.stop() : training.start());
  const start = element("button", { type: "button", class: "primary", disabled: true, onclick: toggle }, "Start sweep");
  const title = "Deletes the results of these runs, so that they can be trained again";
  const deleteResults = element(
    "button",
    { type: "button", title, onclick: () => void training.forget() },
    "Delete results",
  );
  const { store } = training.job;
  const clear = deleteButton("Delete results of all sweeps", undefined, async () => {
    await store.clear();
    training.notify();
  });
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Runs done" });
  const state = element("span", { class: "run-state", role: "status" });
  const facts = ["runs", "speed", "time left", "training PSNR"].map((name) => ({
    name,
    value: element("dd", {}, "–"),
  }));
  const message = element("p", { class: "run-message", role: "status" });
  const factNodes = facts.map(({ name, value }) => element("div", {}, element("dt", {}, name), value));
  const parts = [
    element("div", { class: "run-buttons" }, start, deleteResults, clear),
    element("div", { class: "run-progress" }, state, bar),
    element("dl", { class: "run-facts" }, ...factNodes),
    message,
  ];
  const node = element("div", { class: "run-bar sweep-bar", role: "group", "aria-label": "Sweep" }, ...parts);
  void updateWhileShown(training, node, () => {
    const { runs, missing, isRunning, secondsLeft: left, job } = training;
    const trainable = runs.filter(({ plan }) => plan.config);
    const countStatus = (status: string) => trainable.filter(({ result }) => result?.status === status).length;
    const [trained, failed] = [countStatus("done"), countStatus("failed")];
    const hasStarted = trainable.some(({ result }) => result);
    const isDone = missing.length === 0;
    const current = runs[training.running];
    node.dataset.state = isRunning ? "running" : isDone ? "done" : hasStarted ? "stopped" : "ready";
    setText(start, isRunning ? "Stop" : hasStarted ? "Resume" : "Start sweep");
    start.disabled = !isRunning && isDone;
    deleteResults.disabled = isRunning || !hasStarted;
    const idleText = trainable.length > 0 && isDone ? "Done" : trained > 0 ? "Stopped" : "Ready";
    announce(state, !isRunning ? idleText : current ? runName(job.sweep, current.plan) : "Starting", !isRunning);
    const fraction = current ? current.live!.step / current.plan.config!.steps : 0;
    bar.value = (trained + failed + fraction) / Math.max(1, trainable.length);
    const texts = [
      `${count(trained)} of ${count(trainable.length)}`,
      current?.live?.stepsPerSecond ? `${rate(current.live.stepsPerSecond)} steps/s` : "–",
      left === undefined ? "–" : duration(left),
      current ? decibels(current.live!.psnr) : "–",
    ];
    for (const [i, text] of texts.entries()) setText(facts[i].value, text);
    if (failed > 0) {
      showError(message, `${counted(failed, "run")} failed. Select a failed run to see why.`, "A kernel does not run");
    } else showError(message, store.error ?? "", "Runs or edits cannot be saved");
    clear.hidden = !store.isFull;
  });
  return node;
}
