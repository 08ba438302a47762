import { iterations } from "../../../engine/bench/realtime/realtimeResult.js";
import { standsFor } from "../../figures/pointed.js";
import { element, say, setText } from "../../page/element.js";
import { count, counted, decibels, secondsText } from "../../page/format.js";
import { tellTrouble } from "../../page/help.js";
import { pictureFigure } from "../../pictures/pictureFigure.js";
import { whileFollowed } from "../../training/follow.js";
import { beginWhenSeen } from "./firstRun.js";
import { paceOf, type Race, type Runner } from "./race.js";
import { leftOut } from "./raceJob.js";

/**
 * Starts and pauses a race, and tells how far it is.
 * @param begins whether it may begin by itself when this is seen
 */
export function raceBar(race: Race, begins: boolean): HTMLElement {
  const onclick = () => (isGoing() ? race.pause() : race.start());
  const isGoing = () => race.state === "opening" || race.state === "running";
  const go = element("button", { type: "button", class: "primary race-go", onclick });
  const status = element("span", { class: "figure-note", role: "status" });
  const node = element("div", { class: "held-look" }, go, status);
  if (begins) beginWhenSeen(race, node);
  void whileFollowed(race, node, () => {
    setText(go, isGoing() ? "Pause" : race.state === "paused" ? "Continue" : "Start");
    go.disabled = !race.canRun || race.state === "done";
    if (!race.canRun) tellTrouble(status, statusOf(race), "There is no GPU");
    else if (race.state === "failed") tellTrouble(status, statusOf(race), "A kernel does not run");
    else say(status, statusOf(race), !isGoing());
  });
  return node;
}

function statusOf({ engine, canRun, message, state, runners }: Race): string {
  if (!canRun) return `${engine.because ?? ""} The comparison needs WebGPU; recorded times are below.`.trim();
  if (message) return message;
  if (state === "ready") return `Ready on ${engine.description}.`;
  const seconds = Math.max(...runners.map((runner) => runner.seconds));
  return `${state === "paused" ? "Paused after" : "Each has run for"} ${secondsText(seconds)} on ${engine.description}.`;
}

/** The programs' pictures side by side, and how far each is. */
export function raceLanes({ job, target }: Race, standings: readonly Runner[]): HTMLElement {
  const lane = (runner: Runner) => {
    const { program, takesPart, isRecorded, step, image, points } = runner;
    const pace = paceOf(runner);
    const facts = takesPart
      ? [
          `${isRecorded ? "Recorded: " : ""}${counted(step, "step")}${step === iterations ? ", done" : ""}`,
          points.length > 0 ? decibels(points.at(-1)!.psnr) : "–",
          pace ? paceText(1000 / pace.median) : "–",
        ]
      : [leftOut(program, job, target) ?? "Not selected."];
    const alt = image ? `its ${isRecorded ? "recorded " : ""}image after ${counted(step, "step")}` : "not started";
    const picture = pictureFigure(program.title, `${program.title}: ${alt}`);
    if (image) picture.show(image);
    const node = element(
      "div",
      { class: `lane${takesPart ? "" : " is-out"}`, role: "group", "aria-label": program.title },
      picture,
      element("p", { class: "lane-facts" }, facts.join("\n")),
    );
    return standsFor(node, `program:${program.name}`);
  };
  return element("div", { class: "race-lanes" }, ...standings.map(lane));
}

function paceText(perSecond: number): string {
  const steps = perSecond < 0.5 ? perSecond.toPrecision(1) : count(perSecond);
  return `${steps} ${steps === "1" ? "step" : "steps"} per second`;
}
