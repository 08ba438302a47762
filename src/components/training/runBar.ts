import { html, svg } from "htl";
import { DivergedError } from "../../engine/divergence.js";
import { duration } from "../../engine/duration.js";
import { button, setText } from "../page/element.js";
import { count, counted, decibels, rate } from "../page/format.js";
import { type HelpTopic, helpTopicOf, showError } from "../page/help.js";
import { updateWhileShown } from "./follow.js";
import type { Run, RunStatus } from "./run.js";

const statusLabels: Record<RunStatus, string> = {
  starting: "Starting",
  running: "Training",
  paused: "Paused",
  done: "Done",
  failed: "Stopped",
};

const unfinishedText = "This job has an unfinished run. Resume it, or choose Run to start over.";

/**
 * Returns the run bar: buttons to run, pause, step and reset, and the progress of the run. It shows the training PSNR
 * of the latest step during training, and the PSNR of the render otherwise.
 * @param extra further buttons
 */
export function runBar(run: Run, ...extra: HTMLElement[]): HTMLElement {
  const [runIcon, runLabel] = [svg`<path fill="currentColor"/>`, html`<span></span>`];
  const runButton = html<HTMLButtonElement>`<button type="button" class="primary" onclick=${() => toggle(run)}>
    ${svg`<svg width="14" height="16" aria-hidden="true">${runIcon}</svg>`}${runLabel}
  </button>`;
  const step = button("Step", () => run.takeStep());
  const reset = button("Start over", () => run.reset());
  const progressBar = html<HTMLProgressElement>`<progress max="1" value="0" aria-label="Training progress"></progress>`;
  const state = html`<span class="run-state"></span>`;
  const facts = { step: fact("step"), speed: fact("speed"), left: fact("time left"), psnr: fact("PSNR") };
  const message = html`<p class="run-message" role="status"></p>`;
  const node = html`<div class="run-bar" role="group" aria-label="Training">
    <div class="run-buttons">${[runButton, step, reset, ...extra]}</div>
    <div class="run-progress">${state}${progressBar}</div>
    <dl class="run-facts">${Object.values(facts).map(({ node }) => node)}</dl>
    ${message}
  </div>`;
  void updateWhileShown(run, node, () => {
    const { status, latest } = run;
    const isActive = status === "running" || status === "starting";
    setText(runLabel, isActive ? "Pause" : status === "done" ? "Continue" : "Run");
    runIcon.setAttribute("d", isActive ? "M1,1h4v14h-4zM9,1h4v14h-4z" : "M0,0v16l14,-8z");
    runButton.disabled = step.disabled = status === "failed";
    node.dataset.state = status;
    setText(state, isActive && run.isPauseRequested ? "Pausing" : statusLabels[status]);
    progressBar.value = run.step / run.until;
    const speed = latest?.stepsPerSecond;
    facts.step.show(`${count(run.step)} of ${count(run.until)}`);
    facts.speed.show(speed ? `${rate(speed)} steps/s` : "–");
    facts.left.show(speed && isActive ? duration((run.until - run.step) / speed) : "–");
    const { psnr } = run;
    facts.psnr.rename(psnr === undefined ? "training PSNR" : "PSNR");
    facts.psnr.show(psnr !== undefined ? decibels(psnr) : latest && run.step > 0 ? decibels(latest.psnr) : "–");
    const topic = errorTopic(run);
    const text = run.waits ? unfinishedText : describe(run);
    if (topic && !run.waits) showError(message, text, topic);
    else setText(message, text);
  });
  return node;
}

function toggle(run: Run): void {
  if (run.status === "running" || run.status === "starting") void run.pause();
  else run.resume();
}

function errorTopic({ error, recoveries, notice }: Run): HelpTopic | undefined {
  if (error instanceof DivergedError) return undefined;
  if (error) return helpTopicOf(error);
  if (recoveries > 0) return "The GPU was lost";
  return notice === "" ? undefined : "A setting is refused";
}

function describe({ error, recoveries, status, notice }: Run): string {
  if (error) return `${error.message.replace(/\.?$/, ".")} Change a setting or start over.`;
  if (recoveries === 0) return notice;
  const continues = status === "done" ? "continued" : "continues";
  return `The GPU was lost ${counted(recoveries, "time")}. The run ${continues} from its last readback on a new device.`;
}

function fact(name: string) {
  const [term, value] = [html`<dt>${name}</dt>`, html`<dd>–</dd>`];
  return {
    node: html`<div>${term}${value}</div>`,
    rename: (text: string) => setText(term, text),
    show: (text: string) => setText(value, text),
  };
}
