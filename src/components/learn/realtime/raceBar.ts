import { html } from "htl";
import { iterations } from "../../../engine/bench/realtime/realtimeResult.js";
import { linkThings } from "../../figures/pointing.js";
import { imageFigure } from "../../images/imageFigure.js";
import { announce, setText } from "../../page/element.js";
import { count, counted, decibels, secondsText } from "../../page/format.js";
import { showError } from "../../page/help.js";
import { updateWhileShown } from "../../training/follow.js";
import { autoStartSeconds, startWhenSeen } from "./autoStart.js";
import { paceOf, type Race, type Runner } from "./race.js";
import { exclusionReason } from "./raceJob.js";

/**
 * Returns a button that starts and pauses a race, and its status.
 * @param startsAutomatically whether it can start automatically when the bar is first visible
 */
export function raceBar(race: Race, startsAutomatically: boolean): HTMLElement {
  const onclick = () => (isActive() ? race.pause() : race.start());
  const isActive = () => race.state === "opening" || race.state === "running";
  const startButton = html`<button type="button" class="primary race-go" onclick=${onclick}>` as HTMLButtonElement;
  const status = html`<span class="figure-note" role="status">`;
  const node = html`<div class="input-with-note">${startButton}${status}</div>`;
  if (startsAutomatically) startWhenSeen(race, node, autoStartSeconds);
  void updateWhileShown(race, node, () => {
    setText(startButton, isActive() ? "Pause" : race.state === "paused" ? "Continue" : "Start");
    startButton.disabled = !race.canRun || race.state === "done";
    if (!race.canRun) showError(status, statusOf(race), "There is no GPU");
    else if (race.state === "failed") showError(status, statusOf(race), "A kernel does not run");
    else announce(status, statusOf(race), !isActive());
  });
  return node;
}

function statusOf({ engine, canRun, message, state, runners }: Race): string {
  if (!canRun) return `${engine.fallbackReason ?? ""} The comparison needs WebGPU; recorded times are below.`.trim();
  if (message) return message;
  if (state === "ready") return `Ready on ${engine.description}.`;
  const seconds = Math.max(...runners.map((runner) => runner.seconds));
  return `${state === "paused" ? "Paused. " : ""}Each program has run for ${secondsText(seconds)} on ${engine.description}.`;
}

/** Returns the images of the programs side by side, with the steps, PSNR and speed of each. */
export function raceLanes({ job, target }: Race, standings: readonly Runner[]): HTMLElement {
  const lane = (runner: Runner) => {
    const { program, isParticipating, isRecorded, step, image, points } = runner;
    const pace = paceOf(runner);
    const facts = isParticipating
      ? [
          `${isRecorded ? "Recorded: " : ""}${counted(step, "step")}${step === iterations ? ", done" : ""}`,
          points.length > 0 ? decibels(points.at(-1)!.psnr) : "–",
          pace ? paceText(1000 / pace.median) : "–",
        ]
      : [exclusionReason(program, job, target) ?? "Not selected."];
    const alt = image ? `its ${isRecorded ? "recorded " : ""}image after ${counted(step, "step")}` : "not started";
    const view = imageFigure(program.title, `${program.title}: ${alt}`);
    if (image) view.show(image);
    const node = html`<div class="lane${isParticipating ? "" : " is-out"}" role="group" aria-label=${program.title}>
      ${view}
      <p class="lane-facts">${facts.join("\n")}</p>
    </div>`;
    return linkThings(node, `program:${program.name}`);
  };
  return html`<div class="race-lanes">${standings.map(lane)}</div>`;
}

function paceText(perSecond: number): string {
  const steps = perSecond < 0.5 ? perSecond.toPrecision(1) : count(perSecond);
  return `${steps} ${steps === "1" ? "step" : "steps"} per second`;
}
