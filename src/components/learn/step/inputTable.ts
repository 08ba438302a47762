import { element, setText, uniqueId } from "../../element.js";
import { standsFor } from "../marks.js";
import { apartText, numberText } from "../numberText.js";
import type { Compared } from "./differences.js";
import { mathText, mathWords } from "./mathText.js";
import type { StageInput } from "./stageAdjoint.js";

/** What the table of a stage's inputs tells its figure. */
export interface InputTableOptions {
  /** Names its radio buttons, for all of the page. */
  name: string;
  /** What each row stands for. */
  things: (input: number) => string[];
  /** Whether there is a column for the kernel's result. */
  hasKernel: boolean;
  changed: (input: number, value: number) => void;
  chosen: (input: number) => void;
  /** Told one sentence, or nothing once it is right again. */
  wrong: (sentence: string) => void;
}

/** A stage's inputs with their controls, and beside each its slope as computed in two ways or three. */
export class InputTable {
  readonly node: HTMLElement;
  readonly #rows: Row[];

  constructor(
    inputs: readonly StageInput[],
    readonly options: InputTableOptions,
  ) {
    this.#rows = inputs.map((input, k) => new Row(input, k, options));
    const heads = ["Input", "Value", "Adjoint", "Difference", ...(options.hasKernel ? ["WGSL, float32"] : []), "Apart"];
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    const table = element(
      "table",
      { class: options.hasKernel ? "with-kernel" : "" },
      element("thead", {}, head),
      element("tbody", {}, ...this.#rows.map(({ node }) => node)),
    );
    this.node = element("div", { class: "input-table" }, table);
  }

  /** Shows values, and the ranges and formulas that belong to them. */
  setValues(inputs: readonly StageInput[], values: readonly number[]): void {
    for (const [k, row] of this.#rows.entries()) {
      row.set(inputs[k], values[k]);
      standsFor(row.node, ...this.options.things(k));
    }
  }

  /** Shows what was computed. */
  show(compared: readonly Compared[]): void {
    for (const [k, row] of this.#rows.entries()) row.show(compared[k]);
  }

  /** Shows what the kernel says, compared with the twin; nothing while it is under way. */
  showKernel(compared: readonly Compared[] | undefined): void {
    for (const [k, row] of this.#rows.entries()) row.showKernel(compared?.[k]);
  }

  choose(input: number): void {
    for (const [k, row] of this.#rows.entries()) row.isChosen = k === input;
  }
}

/** No stage is of interest so far out, and differences there have no digits left. */
const farthest = 1e6;

class Row {
  readonly node: HTMLElement;
  readonly #radio: HTMLInputElement;
  readonly #box: HTMLInputElement;
  readonly #slider: HTMLInputElement;
  readonly #formula: HTMLElement;
  readonly #adjoint = element("td", { class: "number", "data-head": "adjoint" });
  readonly #difference = element("td", { class: "number", "data-head": "difference" });
  readonly #kernel = element("td", { class: "number", "data-head": "WGSL" });
  readonly #apart = element("td", { class: "number apart", "data-head": "apart" });
  #input: StageInput;

  constructor(input: StageInput, k: number, options: InputTableOptions) {
    this.#input = input;
    const { wrong, changed, chosen } = options;
    this.#radio = element("input", {
      type: "radio",
      name: options.name,
      id: uniqueId("input"),
      "aria-label": `Look along ${input.name}`,
      onchange: () => chosen(k),
    });
    this.#box = element("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": input.name,
      onchange: () => {
        const value = Number(this.#box.value.replace("−", "-").trim() || Number.NaN);
        const { must, name } = this.#input;
        const isNear = Number.isNaN(value) || Math.abs(value) <= farthest;
        const isRight = Number.isFinite(value) && isNear && (must?.hold(value) ?? true);
        this.#box.toggleAttribute("aria-invalid", !isRight);
        const wanted = isNear ? `a number${must ? ` ${must.be}` : ""}` : "within a million of zero";
        if (!isRight) return wrong(`“${this.#box.value}” cannot be the ${name}: it must be ${wanted}.`);
        wrong("");
        this.#slider.value = String(value);
        changed(k, value);
      },
    });
    this.#slider = element("input", {
      type: "range",
      step: "any",
      "aria-label": `${input.name}, slider`,
      oninput: () => {
        const value = this.#slider.valueAsNumber;
        if (!(this.#input.must?.hold(value) ?? true)) return;
        wrong("");
        this.#box.removeAttribute("aria-invalid");
        this.#box.value = shown(value);
        changed(k, value);
      },
    });
    this.#formula = element("span", { class: "input-formula" });
    const symbol = element("label", { for: this.#radio.id }, mathText(input.symbol), element("span", {}, input.name));
    this.node = element(
      "tr",
      { onclick: ({ target }: Event) => target === this.#box || target === this.#slider || chosen(k) },
      element("th", { scope: "row" }, this.#radio, symbol, this.#formula),
      element("td", { class: "input-value" }, this.#slider, this.#box),
      this.#adjoint,
      this.#difference,
      options.hasKernel && this.#kernel,
      this.#apart,
    );
    this.#box.addEventListener("focus", () => chosen(k));
    this.#slider.addEventListener("focus", () => chosen(k));
  }

  set(input: StageInput, value: number): void {
    this.#input = input;
    this.#slider.min = String(input.low);
    this.#slider.max = String(input.high);
    this.#slider.value = String(value);
    this.#slider.ariaValueText = shown(value);
    this.#box.value = shown(value);
    this.#box.removeAttribute("aria-invalid");
    this.#formula.replaceChildren(mathText(`~${input.symbol}`), " = ", mathText(input.formula));
    this.#formula.ariaLabel = `its adjoint is ${mathWords(input.formula)}`;
  }

  show({ adjoint, difference, apart, agrees }: Compared): void {
    setText(this.#adjoint, numberText(adjoint, 5));
    setText(this.#difference, numberText(difference, 5));
    setText(this.#apart, `${apartText(apart)} ${agrees ? "✓" : "✗"}`);
    this.#apart.title = agrees ? "They agree." : "They do not agree.";
    this.#apart.classList.toggle("not-agreeing", !agrees);
  }

  showKernel(compared: Compared | undefined): void {
    setText(this.#kernel, compared ? numberText(compared.adjoint, 5) : "…");
    this.#kernel.title = compared ? `${apartText(compared.apart)} from the adjoint in float64` : "";
  }

  set isChosen(isChosen: boolean) {
    this.#radio.checked = isChosen;
    this.node.classList.toggle("chosen", isChosen);
  }
}

/** As it stands in the box. */
function shown(value: number): string {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}
