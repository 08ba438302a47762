import { html, svg } from "htl";
import { DivergedError } from "../../engine/divergence.js";
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

const unfinishedText = "This job has an unfinished run. Resume it, or choose Run to train it from the beginning.";

/**
 * Returns the run bar: buttons to run, pause, step and restart, and three numbers. It shows the training PSNR of the latest
 * step during training, and the PSNR of the render otherwise.
 * @param extra further elements, such as `timeline(run)`
 */
export function runBar(run: Run, ...extra: HTMLElement[]): HTMLElement {
  const [runIcon, runLabel] = [svg`<path fill="currentColor"/>`, html`<span></span>`];
  const runButton = html<HTMLButtonElement>`<button type="button" class="primary" onclick=${() => toggle(run)}>
    ${svg`<svg width="10" height="12" aria-hidden="true">${runIcon}</svg>`}${runLabel}
  </button>`;
  const step = button("Step", () => run.takeStep());
  const restart = button("Restart", () => run.reset());
  const state = html`<span class="visually-hidden"></span>`;
  const facts = { step: fact(), speed: fact(), psnr: fact() };
  const message = html`<p role="status"></p>`;
  const isButton = ({ localName }: HTMLElement) => localName === "button";
  const node = html`<div class="run-bar" role="group" aria-label="Training">
    <div class="run-buttons">${[runButton, step, restart]}${extra.filter(isButton)}${state}</div>
    ${extra.filter((element) => !isButton(element))}
    <dl class="run-facts">${Object.values(facts).map(({ node }) => node)}</dl>
    ${message}
  </div>`;
  void updateWhileShown(run, node, () => {
    const { status, latest, psnr } = run;
    const isActive = status === "running" || status === "starting";
    setText(runLabel, isActive ? "Pause" : status === "done" ? "Continue" : "Run");
    runIcon.setAttribute("d", isActive ? "M0,0h3.5v12h-3.5zM6.5,0h3.5v12h-3.5z" : "M0,0v12l10,-6z");
    runButton.disabled = step.disabled = status === "failed";
    node.dataset.state = status;
    setText(state, isActive && run.isPauseRequested ? "Pausing" : statusLabels[status]);
    facts.step.show(count(run.step), `of ${counted(run.until, "step")}`);
    facts.speed.show(latest?.stepsPerSecond ? rate(latest.stepsPerSecond) : "–", "steps/s");
    const shown = psnr ?? (run.step > 0 ? latest?.psnr : undefined);
    facts.psnr.show(shown === undefined ? "–" : decibels(shown), psnr === undefined ? "training PSNR" : "PSNR");
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

function errorTopic({ error, recoveries }: Run): HelpTopic | undefined {
  if (error instanceof DivergedError) return undefined;
  if (error) return helpTopicOf(error);
  return recoveries > 0 ? "The GPU was lost" : undefined;
}

function describe({ error, recoveries, status }: Run): string {
  if (error) return `${error.message.replace(/\.?$/, ".")} Change a setting or restart.`;
  if (recoveries === 0) return "";
  const continues = status === "done" ? "continued" : "continues";
  return `The GPU was lost ${counted(recoveries, "time")}. The run ${continues} from its last readback on a new device.`;
}

/** Returns a number above its name. */
function fact() {
  const [term, value] = [html`<dt class="quiet"></dt>`, html`<dd></dd>`];
  return {
    node: html`<div>${term}${value}</div>`,
    show(text: string, name: string) {
      setText(value, text);
      setText(term, name);
    },
  };
}
