import type { ProgramName } from "../../../engine/realtime/programs.js";
import { iterations } from "../../../engine/realtime/realtimeResult.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText } from "../../element.js";
import { count, counted, decibels } from "../../format.js";
import { PictureFigure } from "../../pictureFigure.js";
import { whenGone } from "../../seen.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { factorsTable } from "./factorsTable.js";
import { beginsByItself, beginWhenSeen, firstSeconds } from "./firstRun.js";
import { learningChart } from "./learningChart.js";
import { pageRace } from "./pageRace.js";
import { paceOf, type Race, type Runner } from "./race.js";
import { raceControls } from "./raceControls.js";
import { timesChart } from "./timesChart.js";
import { secondsText, wholeSeconds } from "./wholeTime.js";

/** Milliseconds between two drawings of the charts. */
const interval = 500;

/**
 * The programs on the way from the simple splatter to real time, training side by side on the reader's adapter, and what
 * each takes for 10,000 iterations.
 * @param options a race that other figures follow too, whoever frees it; its own if absent
 */
export function pathFigure(engine: BrowserEngine, { race: given }: { race?: Race } = {}): HTMLElement {
  const race = given ?? pageRace(engine);
  const go = element("button", { type: "button", class: "primary race-go" }, "Start the race");
  const reset = element("button", { type: "button" }, "Back to the start");
  const status = element("p", { class: "race-status", role: "status" });
  const lanes = race.runners.map((runner) => new Lane(race, runner.program.name));
  const whole = (runner: Runner) => {
    const pace = paceOf(runner);
    return pace && { program: runner.program, ...secondsOf(pace) };
  };
  const measured = () => race.runners.flatMap((runner) => whole(runner) ?? []);
  const times = timesChart(
    "Time for 10,000 iterations, here",
    () => race.runners.map(({ program }) => program),
    measured,
    "Filled: the blend is undone; open: its states are kept. A bar spans the middle half of a program's turns. Diamonds: what the articles report of machines of theirs; the jobs are other ones, too, unless you choose them.",
  );
  const learning = learningChart(race);
  const factors = element("div", { class: "race-factors" });

  const drawNumbers = () => {
    factors.replaceChildren(
      factorsTable(Object.fromEntries(measured().map(({ program, seconds }) => [program.name, seconds]))),
    );
    times.refresh();
    learning.refresh();
  };
  let drawnAt = 0;
  let drawnState = race.state;
  const draw = () => {
    const isGoing = race.state === "opening" || race.state === "running";
    setText(go, isGoing ? "Pause" : race.state === "paused" ? "Go on" : "Start the race");
    go.disabled = !race.canRun || race.state === "done";
    reset.disabled = race.state === "ready";
    setText(status, statusOf(race));
    status.classList.toggle("wrong", race.state === "failed");
    for (const lane of lanes) lane.draw();
    if (race.state === "running" && drawnState === "running" && performance.now() - drawnAt < interval) return;
    drawnAt = performance.now();
    drawnState = race.state;
    drawNumbers();
  };
  go.addEventListener("click", () => {
    if (race.state === "opening" || race.state === "running") race.pause();
    else race.start();
  });
  reset.addEventListener("click", () => void race.reset(true));

  const field = element("div", { class: "race-lanes" }, ...lanes.map(({ node }) => node));
  const node = learnFigure(
    {
      title: "From every blob at every pixel to real time",
      alt: "Five programs train on the same picture. Each has its picture with the steps done and the PSNR reached. Below stand the time that each would take for 10,000 iterations, and what tiles and the undo give.",
      isWide: true,
      note: `${beginsByItself(race) ? `It begins by itself when it is first in sight, and pauses after ${firstSeconds} seconds; let it go on as long as you like.` : "Start it and let it run for some seconds."} Next is always the program that has had the least time, so the pictures show what each did with equal seconds of your adapter. Its turns are the measurement: the time of a turn over its steps, the middle one of all turns, times 10,000.`,
    },
    raceControls(race),
    element("div", { class: "race-bar" }, go, reset, status),
    field,
    element("div", { class: "race-charts" }, times, learning),
    factors,
  );
  const ignore = race.observe(draw);
  whenGone(node, () => {
    ignore();
    if (!given) void race.free();
  });
  beginWhenSeen(race, field);
  draw();
  return node;
}

function statusOf(race: Race): string {
  const { because, description } = race.engine;
  if (!race.canRun) return `${because ?? ""} The race needs it; what was recorded elsewhere stands below.`.trim();
  if (race.message) return race.message;
  if (race.state === "ready") return `Ready on ${description}.`;
  const seconds = Math.max(...race.runners.map((runner) => runner.seconds));
  return `${race.state === "paused" ? "Paused after" : "Each has had"} ${secondsText(seconds)} of ${description}.`;
}

function paceText(perSecond: number): string {
  const steps = perSecond < 0.5 ? perSecond.toPrecision(1) : count(perSecond);
  return `${steps} ${steps === "1" ? "step" : "steps"} a second`;
}

function secondsOf({ median, low, high }: { median: number; low: number; high: number }) {
  return { seconds: wholeSeconds(median), low: wholeSeconds(low), high: wholeSeconds(high) };
}

/** A program's picture, and how far it is. */
class Lane {
  readonly node: HTMLElement;
  readonly #picture: PictureFigure;
  readonly #facts = element("p", { class: "lane-facts" });
  readonly #takesPart: HTMLInputElement;
  #shown: unknown;

  constructor(
    readonly race: Race,
    readonly name: ProgramName,
  ) {
    const { title } = this.#runner.program;
    this.#picture = new PictureFigure(title, `${title}: not started`);
    this.#takesPart = element("input", {
      type: "checkbox",
      onchange: () => void race.enter(name, this.#takesPart.checked),
    });
    const entry = element("label", { class: "lane-entry" }, this.#takesPart, "takes part");
    this.node = element("div", { class: "lane", "data-program": name }, this.#picture.node, this.#facts, entry);
    standsFor(this.node, `program:${name}`);
  }

  get #runner(): Runner {
    return this.race.runners.find(({ program }) => program.name === this.name)!;
  }

  draw(): void {
    const { program, refusal, takesPart, step, image, points, rounds } = this.#runner;
    this.#takesPart.checked = takesPart;
    this.#takesPart.disabled = refusal !== undefined || !this.race.canRun;
    this.node.classList.toggle("is-out", !takesPart);
    const psnr = points.at(-1)?.psnr;
    const pace = paceOf({ rounds });
    const facts = takesPart
      ? [
          `${counted(step, "step")}${step === iterations ? ", done" : ""}`,
          psnr === undefined ? "–" : decibels(psnr),
          pace ? paceText(1000 / pace.median) : "–",
        ]
      : [refusal ?? (this.race.isLong(program) ? "Left out at first: it would take long." : "Does not take part.")];
    setText(this.#facts, facts.join("\n"));
    if (image !== this.#shown) {
      this.#shown = image;
      if (image) this.#picture.show(image);
      else this.#picture.show({ width: 1, height: 1, data: new Uint8ClampedArray(4) });
      this.#picture.describe(
        "",
        image ? `${program.title}: its picture after ${counted(step, "step")}` : program.title,
      );
    }
  }
}
