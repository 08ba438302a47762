import type { Blend, Composite } from "../../../engine/config.js";
import { lowestTransmittance } from "../../../engine/cpu/blend.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText } from "../../element.js";
import { count, counted } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { learnFigure } from "../learnFigure.js";
import { pointAt } from "../marks.js";
import { numberText } from "../numberText.js";
import { stepper } from "../stepper.js";
import { blendCode } from "./blendCode.js";
import { type BlendEvent, type BlendRun, blendRun, composited, EditedStack, stateAfter } from "./blendModel.js";
import { BlobEditor } from "./blobEditor.js";
import { KernelNote } from "./kernelNote.js";
import { type ChosenPixel, pixelChoice } from "./pixelChoice.js";
import { type BlendStep, colorOfState } from "./pixelStack.js";
import { PixelZoom } from "./pixelZoom.js";
import { shareChart } from "./shareChart.js";
import { colorText, swatch } from "./swatch.js";

/** The blending of a lab's chosen pixel, blob by blob, with the code that does it; every blob can be changed. */
export function blendFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  const choice = pixelChoice(lab);
  const zoom = new PixelZoom();
  const state = new StatePanel();
  const ends = new EndPanel();
  const code = codeOf(engine);
  const kernel = new KernelNote(engine, () => show(steps.index));
  const skip = element("input", { type: "checkbox", checked: true, onchange: () => rerun(() => steps.index) });
  let pixel: ChosenPixel | undefined;
  let edited: EditedStack | undefined;
  let run: BlendRun | undefined;
  let turns: BlendStep[] = [];

  const editor = new BlobEditor({
    edit(edit) {
      const step = stepAt(steps.index);
      if (step) change(() => edited?.edit(step.index, edit), step.index);
    },
    move(by) {
      const step = stepAt(steps.index);
      if (!step) return;
      const neighbour = turns[turns.indexOf(step) + by];
      if (neighbour) change(() => edited?.move(step.index, neighbour.index, by > 0), step.index);
    },
    reset: () => change(() => edited?.reset(), stepAt(steps.index)?.index),
  });
  const chart = shareChart(
    () => ({
      steps: turns.filter(({ alpha }) => alpha > 0),
      done: doneAt(steps.index),
      dims: pixel?.scene.config.blend !== "sum",
    }),
    (at) => {
      const chosen = turns.filter(({ alpha }) => alpha > 0)[at];
      steps.goTo(eventOf(chosen.index));
    },
  );
  const steps = stepper("Turn of the blending loop", waiting);
  const figure = learnFigure(
    {
      title: "A pixel of the run, blended blob by blob",
      alt: "A stepper through the blobs of one pixel: each blob's α, the light that is left before and after it, its share and the colour so far.",
      note: "Step through the blobs, or drag the timeline. Each adds its colour with the share αT, and takes the same share of the light. Change the blob's opacity or colour, or move it, and the pixel follows.",
      isWide: true,
    },
    steps.node,
    element(
      "div",
      { class: "blend-columns" },
      element(
        "div",
        {},
        zoom.node,
        element("p", { class: "zoom-note" }, "Inner ellipse: 1σ. Dashed: 4σ, the end of the support."),
      ),
      state.node,
      element("div", { class: "end-place" }, ends.node),
    ),
    element("label", { class: "check skip-switch" }, skip, "Pass over blobs whose α is 0 here"),
    editor.node,
    chart,
    kernel.node,
    code.node,
  );

  const stepAt = (at: number) => {
    const event = run?.events[at];
    return event?.kind === "blob" ? event.step : undefined;
  };
  const doneAt = (at: number) => {
    if (!run) return 0;
    return run.events.slice(0, at + 1).filter((event) => event.kind === "blob" && event.step.alpha > 0).length;
  };
  const eventOf = (index: number) =>
    Math.max(run?.events.findIndex((event) => event.kind === "blob" && event.step.index === index) ?? 0, 0);

  const show = (at: number) => {
    if (!run || !pixel || !edited) return;
    const event = run.events[at];
    const step = stepAt(at);
    state.show(event, run, at);
    ends.show(run, at, pixel);
    zoom.show(pixel.scene, pixel.stack, turns, step);
    const place = step ? turns.indexOf(step) : -1;
    const canMove = { earlier: place > 0, later: place >= 0 && place < turns.length - 1 };
    editor.show(step, canMove, edited.isEdited);
    code.activate(...linesOf(event));
    chart.refresh();
    tellKernel(step);
  };
  const tellKernel = (step: BlendStep | undefined) => {
    const { trace } = kernel;
    if (!trace || !run) return;
    if (edited?.isEdited)
      return setText(
        kernel.node,
        "The kernel ran on the blobs as they are in the run; the changed ones are the twin's.",
      );
    const gap = (a: number, b: number) => Math.abs(a - b);
    const most = Math.max(
      0,
      ...run.steps.map(({ after }, i) => gap(trace.forward[i].after[3], after.transmittance)),
      ...run.steps.flatMap(({ after }, i) => colorOfState(after).map((c, k) => gap(trace.forward[i].after[k], c))),
    );
    const turn = step && trace.forward[step.place - 1];
    const here = turn
      ? `T = ${turn.after[3].toFixed(7)} after this blob, where the twin has ${step.after.transmittance.toFixed(7)}. `
      : "";
    const all = `Over the ${counted(run.steps.length, "turn")} of its loop it differs from the twin by ${numberText(most, 3)} at most, in C and T.`;
    setText(kernel.node, `The kernel, run on ${kernel.adapter} and probed at this pixel: ${here}${all}`);
  };
  /** @param at which event to show, once they are known */
  const rerun = (at: () => number) => {
    if (!pixel || !edited) return;
    const { blobs } = edited;
    const { blend } = pixel.scene.config;
    // A blob that the reader made invisible can still be made visible again.
    const isShown = ({ alpha, index }: BlendStep) => alpha > 0 || !skip.checked || edited?.hasChanged(index) === true;
    run = blendRun(blobs, blend, isShown);
    turns = run.events.flatMap((event) => (event.kind === "blob" ? [event.step] : []));
    const { events } = run;
    steps.reset({ count: events.length, show, describe: (index) => describe(run!, blend, index) }, at());
  };
  const change = (make: () => void, index: number | undefined) => {
    choice.hold();
    const at = steps.index;
    make();
    rerun(() => (index === undefined ? at : eventOf(index)));
  };

  for (const kind of ["click", "input"]) steps.node.addEventListener(kind, () => choice.hold());
  choice.observe(figure, () => {
    if (choice.pixel === pixel) return;
    pixel = choice.pixel!;
    edited = new EditedStack(pixel.stack);
    const { config, target, look } = pixel.scene;
    const shortList = pixel.stack.blobs.map(({ index }) => index);
    const { x, y } = pixel.stack;
    if (shortList.length > 0) {
      kernel.ask({ config, image: target, parameters: look.state.parameters, x, y, shortList });
    }
    // Where most of the pixel comes from.
    rerun(() => {
      const largest = turns.reduce((most, step) => (step.weight > most.weight ? step : most), turns[0]);
      return largest ? eventOf(largest.index) : 0;
    });
  });
  steps.node.addEventListener("click", () => {
    const step = stepAt(steps.index);
    if (step) pointAt(`blob:${step.index}`);
  });
  return figure;
}

/** The code; where the reader has changed the very lines that are marked in it, a sentence in its place. */
function codeOf({ shaders }: BrowserEngine): ReturnType<typeof blendCode> {
  try {
    return blendCode(shaders);
  } catch (error) {
    const words = `The kernels that train here are not the shipped ones, and their lines are not marked: ${(error as Error).message}`;
    return { node: element("p", { class: "kernel-note" }, words), activate() {} };
  }
}

const waiting = { count: 1, show: () => {}, describe: () => "The run's first picture is on its way." };

function describe({ events, end, steps }: BlendRun, blend: Blend, at: number): string {
  const event = events[at];
  const blobs = events.filter(({ kind }) => kind === "blob").length;
  switch (event.kind) {
    case "start":
      return `Before the first blob: C = 0 and T = 1, for a list of ${counted(steps.length, "blob")}.`;
    case "blob": {
      const { alpha, weight, after, index } = event.step;
      const crosses = after.transmittance < lowestTransmittance ? " It crosses 1/255, and is still applied." : "";
      const words = `Blob ${index}, ${at} of ${blobs}: α = ${alpha.toFixed(4)}, share αT = ${weight.toFixed(4)}.`;
      return words + crosses;
    }
    case "stop":
      return `T = ${numberText(end.transmittance, 3)} is below 1/255: the ${counted(event.passed, "blob")} behind change nothing.`;
    case "composite":
      if (blend === "sum") return "All added up: in a sum no blob takes light from another, and T stays 1.";
      return `All blended: T = ${numberText(end.transmittance, 4)} of the light is left for what is behind.`;
  }
}

function linesOf(event: BlendEvent): string[] {
  if (event.kind === "blob") return ["code:blend.eval", "code:blend.count", "code:blend.formula"];
  if (event.kind === "stop") return ["code:blend.stop"];
  return event.kind === "start" ? ["code:blend.loop"] : [];
}

/** The state before and after a turn, in numbers, and the colour so far. */
class StatePanel {
  readonly node: HTMLElement;
  readonly #color = swatch("is-large");
  readonly #colorText = element("span", { class: "swatch-text" });
  readonly #values: Record<string, HTMLElement> = {};

  constructor() {
    const names = {
      alpha: "α of this blob",
      before: "T before",
      after: "T after",
      opaque: "accumulated α, 1 − T",
      weight: "share αT",
      finalCount: "finalCount",
    };
    const facts = Object.entries(names).map(([key, name]) => {
      this.#values[key] = element("dd", {}, "–");
      return element("div", {}, element("dt", {}, name), this.#values[key]);
    });
    this.node = element(
      "div",
      { class: "state-panel" },
      element(
        "div",
        { class: "state-color" },
        this.#color.node,
        element("div", {}, "C so far", element("br"), this.#colorText),
      ),
      element("dl", { class: "state-facts" }, ...facts),
    );
  }

  show(event: BlendEvent, run: BlendRun, at: number): void {
    const state = stateAfter(run, at);
    const { transmittance: T, finalCount } = state;
    this.#color.show(colorOfState(state), T);
    setText(this.#colorText, colorText(colorOfState(state)));
    const step = event.kind === "blob" ? event.step : undefined;
    setText(this.#values.alpha, step ? step.alpha.toFixed(6) : "–");
    setText(this.#values.before, step ? step.before.transmittance.toFixed(6) : "–");
    setText(this.#values.after, T.toFixed(6));
    setText(this.#values.opaque, (1 - T).toFixed(6));
    setText(this.#values.weight, step ? step.weight.toFixed(6) : "–");
    setText(this.#values.finalCount, count(finalCount));
  }
}

/** What the state so far becomes as a colour, by each composite, beside the target's. */
class EndPanel {
  readonly node = element("table", { class: "end-panel" });

  show(run: BlendRun, at: number, { scene, stack }: ChosenPixel): void {
    const own = scene.config.composite;
    const names: Composite[] = own === "black" ? ["seed", "white", "black"] : ["seed", "white"];
    const colors = composited(stateAfter(run, at), names);
    const formulas = { seed: "C (1 − T) + T", white: "C + T", black: "C" };
    const row = (name: string, note: string, color: readonly number[]) => {
      const field = swatch();
      field.show(color);
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, field.node, name),
        element("td", {}, note),
        element("td", { class: "number" }, colorText(color)),
      );
    };
    const labels = { seed: "as the seeds print it", white: "over white", black: "over black" };
    const apart = colors.white.map((c, channel) => c - colors.seed[channel]);
    this.node.replaceChildren(
      element("caption", {}, at === run.events.length - 1 ? "The pixel's colour" : "Its colour if blending ended here"),
      ...names.map((name) =>
        row(formulas[name], `${labels[name]}${name === own ? ", as this run" : ""}`, colors[name]),
      ),
      element(
        "tr",
        {},
        element("th", { scope: "row" }, "their difference"),
        element("td", {}, "white − seeds', C T"),
        element("td", { class: "number" }, colorText(apart)),
      ),
      row("target", "what it should be", stack.target),
    );
  }
}
