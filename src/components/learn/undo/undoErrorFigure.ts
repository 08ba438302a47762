import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { element, setText } from "../../element.js";
import { count, percent } from "../../format.js";
import { inFrames } from "../../lab/inFrames.js";
import type { Lab } from "../../lab/lab.js";
import type { Scene } from "../../lab/scene.js";
import { whenSeen } from "../../seen.js";
import { pixelChoice } from "../blending/pixelChoice.js";
import { learnFigure } from "../learnFigure.js";
import { numberText } from "../numberText.js";
import { medianOf } from "./ceilingModel.js";
import { growthChart, rounding, spreadChart } from "./errorCharts.js";
import { errorsByKernel, errorsByTwin, measuredTiles, type UndoError } from "./undoErrorModel.js";

/** The error that undoing adds to every pixel of a lab's chosen moment, measured. */
export function undoErrorFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  const choice = pixelChoice(lab);
  let errors: UndoError[] = [];
  let measured: Scene | undefined;
  let isBusy = false;
  let isSeen = false;
  const undone = { name: "undone, against kept", color: "var(--run-1)" };
  const forward = { name: "forward, against float64", color: "var(--run-2)", dash: "5 3" };
  const charts = [
    spreadChart("Light: error of T", "|error of T|", () => errors, [
      { ...undone, value: ({ transmittance }) => transmittance },
      { ...forward, value: ({ forwardTransmittance }) => forwardTransmittance },
    ]),
    spreadChart("Colour: error of C", "|error of C|, the largest of r, g, b", () => errors, [
      { ...undone, value: ({ color }) => color },
      { ...forward, value: ({ forwardColor }) => forwardColor },
    ]),
    growthChart(() => errors),
    spreadChart("Gradient: error as a share of it", "|by undoing − by keeping| ÷ |by keeping|", () => errors, [
      { ...undone, value: ({ gradient }) => gradient },
    ]),
  ];
  const again = element("button", { type: "button", onclick: () => void measure() }, "Measure the moment above");
  const state = element("p", { class: "kernel-note is-short", "aria-live": "polite" }, "Measured once it is in sight.");
  const facts = new ErrorFacts((x, y) => choice.choose(x, y));
  const figure = learnFigure(
    {
      title: "What undoing adds, in float32",
      alt: "Histograms over the pixels of a moment of the run: the difference of undone and kept states in T and in C, and of the gradients, and how it grows with the number of blobs.",
      note: "The dotted line in the histograms is one rounding of float32 at 1, 2⁻²⁴. The worst pixel can be looked at in the figures above.",
      isWide: true,
    },
    element("div", { class: "learn-controls" }, again),
    state,
    facts.node,
    element("div", { class: "learn-columns" }, ...charts),
  );
  const measure = async () => {
    const scene = choice.pixel?.scene;
    if (!scene || isBusy || scene === measured) return;
    isBusy = true;
    measured = scene;
    again.disabled = true;
    setText(state, "Every pixel goes forward and back.");
    try {
      const gpu = await pageGpu(engine);
      const lists = await inFrames(measuredTiles(scene));
      errors = gpu ? await errorsByKernel(gpu, scene, lists, inFrames) : await inFrames(errorsByTwin(scene, lists));
      const who = gpu
        ? `the kernels' own functions on ${gpu.description}`
        : "the CPU's twin, which rounds each state as it is stored";
      const all = errors.length === scene.target.width * scene.target.height ? "all" : "an even choice of";
      setText(state, `Step ${count(scene.look.state.step)}: ${all} ${count(errors.length)} pixels, by ${who}.`);
      facts.show(errors);
      for (const chart of charts) chart.refresh();
    } catch (error) {
      setText(state, `Nothing was measured: ${(error as Error).message}`);
    } finally {
      isBusy = false;
      again.disabled = choice.pixel?.scene === measured;
    }
    if (!choice.isFollowing && figure.isConnected) void measure();
  };
  whenSeen(figure, () => {
    isSeen = true;
    void measure();
  });
  choice.observe(figure, () => {
    again.disabled = isBusy || choice.pixel?.scene === measured;
    if (isSeen && !choice.isFollowing) void measure();
  });
  return figure;
}

class ErrorFacts {
  readonly node: HTMLElement;
  readonly #values: Record<string, HTMLElement> = {};
  readonly #goThere: HTMLButtonElement;
  #worst: UndoError | undefined;

  constructor(goTo: (x: number, y: number) => void) {
    const names = {
      exact: "pixels with every T exact",
      typical: "T, middle pixel",
      worst: "T, worst pixel",
      color: "C, worst pixel",
      gradient: "gradient, middle | worst",
      alphas: "α that differ on the way back",
    };
    const facts = Object.entries(names).map(([key, name]) => {
      this.#values[key] = element("dd", {}, "–");
      return element("div", {}, element("dt", {}, name), this.#values[key]);
    });
    this.#goThere = element(
      "button",
      {
        type: "button",
        disabled: true,
        onclick: () => {
          if (this.#worst) goTo(this.#worst.x, this.#worst.y);
        },
      },
      "Look at the worst pixel",
    );
    this.node = element(
      "div",
      { class: "error-look" },
      element("dl", { class: "learn-facts error-facts" }, ...facts),
      this.#goThere,
    );
  }

  show(errors: readonly UndoError[]): void {
    const worst = errors.reduce((most, error) => (error.relative > most.relative ? error : most));
    const blobs = errors.reduce((sum, error) => sum + error.blobs, 0);
    const others = errors.reduce((sum, { otherAlphas }) => sum + otherAlphas, 0);
    const middle = (value: (error: UndoError) => number) => medianOf(errors.map(value));
    const roundings = (share: number) => `${(share / rounding).toFixed(1)} roundings`;
    setText(this.#values.exact, percent(errors.filter(({ relative }) => relative === 0).length / errors.length));
    setText(this.#values.typical, roundings(middle(({ relative }) => relative)));
    setText(this.#values.worst, `${roundings(worst.relative)}, at ${worst.x}, ${worst.y}`);
    setText(this.#values.color, numberText(Math.max(...errors.map(({ color }) => color)), 3));
    const gradients = errors.map(({ gradient }) => gradient);
    setText(this.#values.gradient, `${numberText(medianOf(gradients), 3)} | ${numberText(Math.max(...gradients), 3)}`);
    setText(
      this.#values.alphas,
      `${count(others)} of ${count(blobs)}${others > 0 ? `, ${percent(others / blobs)}` : ""}`,
    );
    this.#worst = worst;
    this.#goThere.disabled = false;
  }
}
