import type { PixelState } from "../../../engine/cpu/blend.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText } from "../../element.js";
import { count, counted } from "../../format.js";
import type { Lab } from "../../lab/lab.js";
import { KernelNote } from "../blending/kernelNote.js";
import { type ChosenPixel, pixelChoice } from "../blending/pixelChoice.js";
import { colorOfState, newPixelState } from "../blending/pixelStack.js";
import { colorText, swatch } from "../blending/swatch.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { numberText, tickText } from "../numberText.js";
import { stepper } from "../stepper.js";
import { stateBytes, undoBytes } from "./cacheModel.js";
import { undoCode } from "./undoCode.js";
import { type UndoStep, type UndoWalk, undoWalk } from "./undoModel.js";

/** Forward and back through a lab's chosen pixel in two ways: with all states kept, and with the last one undone. */
export function undoFigure(engine: BrowserEngine, lab: Lab): HTMLElement {
  const choice = pixelChoice(lab);
  const code = undoCode(engine.shaders);
  const kernel = new KernelNote(engine, () => tellKernel());
  const kept = new Side("Caching", "states kept");
  const undone = new Side("Undoing", "state kept");
  const table = new UndoTable();
  let pixel: ChosenPixel | undefined;
  let walk: UndoWalk | undefined;

  const show = (at: number) => {
    if (!walk) return;
    const { forward, backward } = walk;
    const n = forward.length;
    const isBack = at > n + 1;
    const back = isBack ? at - n - 1 : 0;
    const ahead = Math.min(at, n);
    const now = stateAt(walk, at);
    const cached = isBack ? backward[back - 1].blend.before : now;
    // Keeping has no exception for blobs whose α is 0.
    const states = isBack ? backward[back - 1].blend.place - 1 : ahead > 0 ? forward[ahead - 1].place : 0;
    kept.show(cached, states, stateBytes);
    undone.show(isBack ? backward[back - 1].undone : now, 1, undoBytes);
    table.show(walk, ahead, back);
    code.activate(...linesOf(at, n));
  };
  const steps = stepper("Forward and back", waiting);
  const figure = learnFigure(
    {
      title: "Keeping every state, and undoing the last one",
      alt: "A stepper through one pixel's blobs, forward and then backward. On one side every state is kept; on the other only the last, from which the others are reconstructed.",
      note: "Forward, the left side writes down a state for each blob. Backward, it reads them again; the right side divides its way back. Both hold float32.",
      isWide: true,
    },
    steps.node,
    element("div", { class: "learn-columns undo-sides" }, kept.node, undone.node),
    table.node,
    kernel.node,
    code.node,
  );
  const tellKernel = () => {
    const { trace } = kernel;
    if (!trace || !walk) return;
    const own = new Map(walk.backward.map((step) => [step.blend.index, step]));
    const largest = Math.max(...trace.backward.map(({ dAlpha }) => Math.abs(dAlpha)));
    const apart = trace.backward.map(({ blob, dAlpha }) =>
      Math.abs(dAlpha - (own.get(blob)?.byUndoing.dAlpha ?? dAlpha)),
    );
    const gap = largest > 0 ? Math.max(...apart) / largest : 0;
    const start = `It ends with T = ${trace.start[3].toFixed(8)} where 1 went in`;
    const gradients = `its dL/dα are within ${numberText(gap, 3)} of the largest of them of the twin's`;
    const blobs = counted(trace.backward.length, "blob");
    setText(
      kernel.node,
      `The kernel, run on ${kernel.adapter} at this pixel, undoes ${blobs}. ${start}; ${gradients}.`,
    );
  };
  for (const kind of ["click", "input"]) steps.node.addEventListener(kind, () => choice.hold());
  choice.observe(figure, () => {
    if (choice.pixel === pixel) return;
    pixel = choice.pixel!;
    const { config, target, look } = pixel.scene;
    const whole = undoWalk(pixel.stack, config, target, "float32");
    // What has no α there changes nothing either way.
    walk = {
      ...whole,
      forward: whole.forward.filter(({ alpha }) => alpha > 0),
      backward: whole.backward.filter(({ blend }) => blend.alpha > 0),
    };
    table.reset(walk);
    const shortList = pixel.stack.blobs.map(({ index }) => index);
    const { x, y } = pixel.stack;
    if (shortList.length > 0) kernel.ask({ config, image: target, parameters: look.state.parameters, x, y, shortList });
    const n = walk.forward.length;
    steps.reset({ count: 2 * n + 2, show, describe: (at) => describe(walk!, at) }, n + 1 + Math.ceil(n / 2));
  });
  return figure;
}

/** That are drawn of the kept states. */
const mostBoxes = 120;

const waiting = { count: 1, show: () => {}, describe: () => "The run's first picture is on its way." };

function stateAt({ forward, end }: UndoWalk, at: number): PixelState {
  if (at === 0) return newPixelState();
  return at <= forward.length ? forward[at - 1].after : end;
}

function describe({ forward, backward, squaredError, dEnd }: UndoWalk, at: number): string {
  const n = forward.length;
  if (at === 0) return `Before the first of ${counted(n, "blob")} with α > 0.`;
  if (at <= n) {
    const { index, alpha, after } = forward[at - 1];
    return `Forward, ${at} of ${n}: blob ${index}, α = ${alpha.toFixed(4)}, leaves T = ${after.transmittance.toFixed(6)}.`;
  }
  if (at === n + 1) {
    return `The loss: squared error ${squaredError.toFixed(6)}, dL/dT = ${numberText(dEnd.transmittance, 3)}. The way back begins.`;
  }
  const { blend, undone } = backward[at - n - 2];
  const gap = undone.transmittance - blend.before.transmittance;
  const words = gap === 0 ? "to the last bit what was kept" : `${numberText(Math.abs(gap), 3)} from what was kept`;
  const T = `T = ${blend.after.transmittance.toFixed(6)} ÷ (1 − ${blend.alpha.toFixed(4)}) = ${undone.transmittance.toFixed(6)}`;
  return `Backward, ${at - n - 1} of ${n}: blob ${blend.index}. ${T}, ${words}.`;
}

function linesOf(at: number, n: number): string[] {
  if (at <= n + 1) return [];
  return ["eval", "undo", "divide", "adjoint", "color", "parameters"].map((name) => `code:undo.${name}`);
}

/** One of the two ways: the state that it has at hand, and what it holds in memory. */
class Side {
  readonly node: HTMLElement;
  readonly #color = swatch("is-large");
  readonly #text = element("span", { class: "swatch-text" });
  readonly #light = element("span", { class: "swatch-text" });
  readonly #memory = element("p", { class: "undo-memory" });
  readonly #boxes = element("div", { class: "undo-boxes", "aria-hidden": "true" });

  constructor(
    title: string,
    readonly what: string,
  ) {
    this.node = element(
      "div",
      { class: "undo-side" },
      element("strong", {}, title),
      element(
        "div",
        { class: "state-color" },
        this.#color.node,
        element("div", {}, this.#light, element("br"), this.#text),
      ),
      this.#memory,
      this.#boxes,
    );
  }

  show(state: PixelState, states: number, bytes: number): void {
    this.#color.show(colorOfState(state), state.transmittance);
    setText(this.#light, `T = ${state.transmittance.toFixed(8)}`);
    setText(this.#text, `C = ${colorText(colorOfState(state))}`);
    setText(this.#memory, `${count(states)} ${this.what}, ${count(states * bytes)} bytes`);
    const boxes = Math.min(states, mostBoxes);
    while (this.#boxes.childElementCount > boxes) this.#boxes.lastElementChild!.remove();
    while (this.#boxes.childElementCount < boxes) this.#boxes.append(element("span"));
  }
}

/** A row a blob, front to back: what was kept before it, what is reconstructed, and its gradients as they come. */
class UndoTable {
  readonly node: HTMLElement;
  readonly #body = element("tbody");
  readonly #unit = element("span", {}, "");
  #rows: { row: HTMLElement; cells: HTMLElement[]; step: UndoStep }[] = [];
  #exponent = 0;

  constructor() {
    const head = (text: string | Node, ...more: Node[]) => element("th", { scope: "col" }, text, ...more);
    this.node = element(
      "div",
      {
        class: "undo-table",
        tabindex: 0,
        role: "region",
        "aria-label": "The pixel's blobs, their states and gradients",
      },
      element(
        "table",
        {},
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            head("blob"),
            head("α"),
            head("T kept before it"),
            head("T undone"),
            head("undone − kept"),
            head("dL/dα"),
            head("dL/dc, rgb"),
          ),
        ),
        this.#body,
      ),
      element("p", { class: "zoom-note" }, "Gradients of the loss at this pixel, ", this.#unit),
    );
  }

  reset({ backward }: UndoWalk): void {
    const all = backward.flatMap(({ byUndoing: { dAlpha, dColor } }) => [dAlpha, ...dColor].map(Math.abs));
    const largest = Math.max(0, ...all);
    this.#exponent = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
    setText(this.#unit, this.#exponent === 0 ? "" : `in units of ${tickText(10 ** this.#exponent)}`);
    this.#rows = backward.toReversed().map((step) => {
      const { index, blob, alpha } = step.blend;
      const field = swatch();
      field.show([blob.red, blob.green, blob.blue]);
      const cells = Array.from({ length: 5 }, () => element("td"));
      const row = element(
        "tr",
        {},
        element("th", { scope: "row" }, field.node, ` ${index}`),
        element("td", {}, alpha.toFixed(4)),
        ...cells,
      );
      return { row: standsFor(row, `blob:${index}`), cells, step };
    });
    this.#body.replaceChildren(...this.#rows.map(({ row }) => row));
  }

  /** @param ahead blobs blended so far @param back blobs undone so far */
  show({ forward }: UndoWalk, ahead: number, back: number): void {
    const n = forward.length;
    const current = back > 0 ? n - back : ahead - 1;
    for (const [at, { row, cells, step }] of this.#rows.entries()) {
      const isUndone = at >= n - back;
      const isCurrent = at === current;
      row.classList.toggle("current", isCurrent);
      const { blend, undone, byUndoing } = step;
      const gap = undone.transmittance - blend.before.transmittance;
      const number = (value: number) => signed(value / 10 ** this.#exponent);
      const texts = [
        at < ahead ? blend.before.transmittance.toFixed(8) : "",
        isUndone ? undone.transmittance.toFixed(8) : "",
        isUndone ? numberText(gap, 3) : "",
        isUndone ? number(byUndoing.dAlpha) : "",
        isUndone ? byUndoing.dColor.map(number).join(", ") : "",
      ];
      for (const [i, cell] of cells.entries()) setText(cell, texts[i]);
      // What was read is not needed any more; of what was undone only the latest is held.
      cells[0].classList.toggle("is-gone", isUndone && !isCurrent);
      cells[1].classList.toggle("is-gone", isUndone && !isCurrent);
      if (isCurrent) keepInSight(this.node, row);
    }
  }
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(3);
  return value < 0 && Number(text) > 0 ? `−${text}` : text;
}

/** Scrolls a box, and not the page around it. */
function keepInSight(box: HTMLElement, row: HTMLElement): void {
  const head = 40;
  if (row.offsetTop - head < box.scrollTop) box.scrollTop = row.offsetTop - head;
  const bottom = row.offsetTop + row.offsetHeight;
  if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
