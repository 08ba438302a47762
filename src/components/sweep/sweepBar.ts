import { html } from "htl";
import { duration } from "../../engine/duration.js";
import { deleteButton } from "../inputs/deleteButton.js";
import { announce, setText } from "../page/element.js";
import { count, counted, decibels, rate } from "../page/format.js";
import { showError } from "../page/help.js";
import { updateWhileShown } from "../training/follow.js";
import { runName, type SweepTraining } from "./sweepTraining.js";

/** Returns the buttons and the progress of a sweep. */
export function sweepBar(training: SweepTraining): HTMLElement {
  const toggle = () => (training.isRunning ? training.stop() : training.start());
  const start = html<HTMLButtonElement>`<button type="button" class="primary" disabled onclick=${toggle}>Start sweep</button>`;
  const deleteResults = html<HTMLButtonElement>`<button type="button"
    title="Deletes the results of these runs, so that they can be trained again"
    onclick=${() => void training.deleteResults()}>Delete results</button>`;
  const { store } = training.job;
  const clear = deleteButton("Delete results of all sweeps", undefined, async () => {
    await store.clear();
    training.notify();
  });
  const bar = html<HTMLProgressElement>`<progress max="1" value="0" aria-label="Runs done"></progress>`;
  const state = html`<span class="run-state" role="status"></span>`;
  const values = Array.from({ length: 4 }, () => html`<dd>–</dd>`);
  const message = html`<p class="run-message" role="status"></p>`;
  const node = html`<div class="run-bar sweep-bar" role="group" aria-label="Sweep">
    <div class="run-buttons">${[start, deleteResults, clear]}</div>
    <div class="run-progress">${state}${bar}</div>
    <dl class="run-facts">
      ${["runs", "speed", "time left", "training PSNR"].map((name, i) => html`<div><dt>${name}</dt>${values[i]}</div>`)}
    </dl>
    ${message}
  </div>`;
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
    for (const [i, text] of texts.entries()) setText(values[i], text);
    if (failed > 0) {
      showError(message, `${counted(failed, "run")} failed. Select a failed run to see why.`, "A kernel does not run");
    } else showError(message, store.error ?? "", "Runs or edits cannot be saved");
    clear.hidden = !store.isFull;
  });
  return node;
}
