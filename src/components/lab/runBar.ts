import { duration } from "../../engine/duration.js";
import { element, setText } from "../element.js";
import { count, counted, decibels, rate } from "../format.js";
import type { Lab } from "./lab.js";
import type { LabRun, RunStatus } from "./labRun.js";

const stateWords: Record<RunStatus, string> = {
  starting: "Starting",
  running: "Training",
  paused: "Paused",
  done: "Done",
  failed: "Stopped",
};

const waiting = "This very job has been begun before: go on with it, or run it anew.";

/**
 * Run, pause, step and reset, and how far the run has come.
 * @param more buttons beside them
 */
export function runBar(lab: Lab, ...more: HTMLElement[]): HTMLElement {
  const run = element("button", { type: "button", class: "primary", onclick: () => toggle(lab) }, "Run");
  const step = element("button", { type: "button", onclick: () => lab.run?.takeStep() }, "Step");
  const reset = element("button", { type: "button", onclick: () => lab.reset() }, "Reset");
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Steps done" });
  const state = element("span", { class: "run-state" }, "Waiting for a picture");
  const facts = {
    step: fact("step"),
    speed: fact("speed"),
    left: fact("time left"),
    psnr: fact("PSNR"),
  };
  const message = element("p", { class: "run-message", role: "status" });
  const node = element(
    "div",
    { class: "run-bar", role: "group", "aria-label": "Training" },
    element("div", { class: "run-buttons" }, run, step, reset, ...more),
    element("div", { class: "run-progress" }, state, bar),
    element("dl", { class: "run-facts" }, ...Object.values(facts).flatMap(({ node }) => node)),
    message,
  );

  const show = () => {
    const current = lab.run;
    for (const button of [run, step, reset]) button.disabled = !current;
    if (!current) return;
    const { status, latest } = current;
    const goes = status === "running" || status === "starting";
    setText(run, goes ? "Pause" : status === "done" ? "Run on" : "Run");
    run.disabled = step.disabled = status === "failed";
    node.dataset.state = status;
    setText(state, stateWords[status]);
    bar.value = current.step / current.until;
    const speed = latest?.stepsPerSecond;
    facts.step.show(`${count(current.step)} of ${count(current.until)}`);
    facts.speed.show(speed ? `${rate(speed)} steps/s` : "–");
    facts.left.show(speed && goes ? duration((current.until - current.step) / speed) : "–");
    facts.psnr.show(latest && current.step > 0 ? decibels(latest.psnr) : "–");
    setText(message, lab.waits ? waiting : describe(current));
  };
  for (const button of [run, step, reset]) button.disabled = true;
  lab.observe(show);
  return node;
}

function toggle(lab: Lab): void {
  const status = lab.run?.status;
  if (status === "running" || status === "starting") lab.run?.pause();
  else lab.run?.resume();
}

function describe({ error, recoveries, status }: LabRun): string {
  if (error) return `${error.message.replace(/\.?$/, ".")} Change a setting or reset to go on.`;
  if (recoveries === 0) return "";
  const goesOn = status === "done" ? "went" : "goes";
  return `The GPU was lost ${counted(recoveries, "time")}; the run ${goesOn} on from its last readback, on a new one.`;
}

function fact(name: string) {
  const value = element("dd", {}, "–");
  return { node: [element("div", {}, element("dt", {}, name), value)], show: (text: string) => setText(value, text) };
}
