import { html } from "htl";
import { changedFields, completeConfig, type TrainConfig } from "../../engine/config.js";
import { type FieldName, fieldNames, fields, formatField } from "../../engine/fields.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { uniqueId } from "../page/element.js";
import { showError } from "../page/help.js";
import { acceptFields, checkValues, type FieldValues } from "./acceptFields.js";
import { fieldInput, type MakeInput } from "./fieldInput.js";
import { presetStart } from "./startingJob.js";

/** An input for `view`. Its value is the last valid value of a field. */
export type Knob = HTMLElement & { value: unknown };

/** Milliseconds until a moved slider takes effect. */
const sliderDelay = 120;

/** Returns the fields of a configuration that do not concern the size of the job or the pipeline. */
function learningFields(config: TrainConfig): FieldValues {
  const { blobs: _b, steps: _s, tile: _t, gaussiansPerBlock: _g, pipeline: _p, seed: _r, ...learning } = config;
  const { covarianceScale } = changedFields(config);
  return { ...learning, covarianceScale };
}

/**
 * The configuration that a page's inputs describe. The page places each input. A value that is not allowed shows an error
 * next to its input, and the last valid value stays in use.
 */
export class Settings {
  /** The last valid configuration. */
  config: TrainConfig;
  /** Errors of fields without a visible input. */
  readonly note = html`<p class="quiet" role="status" aria-label="Settings without an input"></p>`;
  readonly #engine: BrowserEngine;
  readonly #start: Partial<TrainConfig>;
  /** All inputs, those of the form included, as functions that show a value, or why another one is not valid. */
  readonly #inputs = new Map<string, (value: unknown, wrong: string | undefined) => void>();
  #errors = new Map<string, string>();
  #disabled: readonly string[] = [];
  /** The inputs of the fields without a knob, and the element that they are in. */
  readonly #formInputs = new Map<string, Knob>();
  #form: (HTMLDetailsElement & { value: FieldValues }) | undefined;
  /** The fields that the reader had set when they left a preset, by preset. */
  readonly #savedByPreset = new Map<unknown, FieldValues>();

  /**
   * @param engine the engine that has to be able to train the configuration
   * @param start the initial configuration of the page
   * @param overrides fields that override it, such as those of the page's address
   */
  constructor(engine: BrowserEngine, start: Partial<TrainConfig>, overrides: FieldValues = {}) {
    this.#engine = engine;
    this.#start = start;
    this.config = this.#check(start);
    const first = presetStart(start, overrides.preset);
    this.#accept({ ...first, ...overrides }, first);
  }

  /**
   * Returns the input of a field, for a cell: `const blobs = view(settings.knob("blobs"))`. The form leaves the field out.
   * @param make makes another input: `settings.knob("blobs", (value) => Inputs.range([1, 9000], {label: "Blobs", value}))`
   */
  knob(name: FieldName, make?: MakeInput): Knob {
    this.#formInputs.get(name)?.remove();
    this.#formInputs.delete(name);
    return this.#input(name, make);
  }

  /** @param make called again when the value comes from elsewhere, such as a file */
  #input(name: FieldName, make: MakeInput = (value) => fieldInput(name, this.#engine, value)): Knob {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: string | undefined;
    const settle = () => {
      clearTimeout(timer);
      const typed = typedValue(root);
      shown = textOf(typed);
      this.#change(name, typed);
    };
    // A value that is still being typed is not a value of the knob.
    const oninput = (event: Event) => {
      if (event.target === root) return;
      event.stopImmediatePropagation();
      clearTimeout(timer);
      if ((event.target as HTMLInputElement).type === "range") timer = setTimeout(settle, sliderDelay);
    };
    const root = html<Knob>`<div class="knob" oninput=${oninput} onchange=${settle}></div>`;
    const message = html`<p class="quiet" id=${uniqueId("knob")} role="status"></p>`;
    const show = (value: unknown, wrong = "") => {
      showError(message, wrong, "A setting is refused");
      root.classList.toggle("wrong", wrong !== "");
      if (wrong === "" && shown !== textOf(value)) {
        shown = textOf(value);
        const input = make(formatField(value) as never);
        // The configuration validates the number, not the browser.
        for (const box of input.querySelectorAll('[type="number"]')) {
          box.removeAttribute("min");
          box.removeAttribute("max");
        }
        if (input instanceof HTMLFormElement) input.noValidate = true;
        root.replaceChildren(input, message);
      }
      const label = root.querySelector("label");
      if (label) label.title = fields[name].help;
      for (const control of root.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) {
        control.disabled = this.#disabled.includes(name);
        if (control.matches('[type="range"]')) control.ariaLabel = `${label?.textContent}, slider`;
        control.setAttribute("aria-describedby", message.id);
        if (wrong === "") control.removeAttribute("aria-invalid");
        else control.setAttribute("aria-invalid", "true");
      }
      if (textOf(root.value) === textOf(value)) return;
      root.value = value;
      root.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const first = this.config[name];
    root.value = first;
    // An error leaves the input as it is, so the input is made first.
    show(first);
    show(first, this.#errors.get(name));
    this.#inputs.set(name, show);
    queueMicrotask(() => this.#showNote());
    return root;
  }

  /** Returns the inputs of all fields without a knob, folded; the value is an object of these fields. */
  form(summary: string): HTMLDetailsElement & { value: FieldValues } {
    const others = fieldNames.filter((name) => !this.#inputs.has(name) || this.#formInputs.has(name));
    for (const name of others) this.#formInputs.set(name, this.#input(name));
    const oninput = (event: Event) => event.target !== form && event.stopImmediatePropagation();
    const form = html<HTMLDetailsElement & { value: FieldValues }>`<details
      class="settings-form" oninput=${oninput} ontoggle=${() => this.#showNote()}
    >
      <summary>${summary}</summary>
      <div class="knobs">${[...this.#formInputs.values()]}</div>
    </details>`;
    form.value = this.#formValues();
    this.#form = form;
    return form;
  }

  #formValues(): FieldValues {
    return Object.fromEntries(
      Object.entries(changedFields(this.config)).filter(([name]) => this.#formInputs.has(name)),
    );
  }

  #showForm(): void {
    const value = this.#formValues();
    if (!this.#form || JSON.stringify(value) === JSON.stringify(this.#form.value)) return;
    this.#form.value = value;
    this.#form.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Disables the inputs of these fields, and enables all others. */
  disable(names: readonly string[]): void {
    this.#disabled = names;
    this.#showAll();
  }

  #showAll(): void {
    for (const [name, show] of this.#inputs) show(this.config[name as FieldName], this.#errors.get(name));
  }

  /**
   * Loads a configuration.
   * @throws ConfigError, and changes nothing, if it is not valid
   */
  load(values: FieldValues): void {
    const config = this.#check(values);
    this.#savedByPreset.clear();
    this.#accept(config as unknown as FieldValues);
  }

  #change(name: FieldName, value: unknown): void {
    const values = { ...changedFields(this.config), [name]: value };
    if (name === "preset" && value !== this.config.preset)
      this.#accept({ ...this.config, ...this.#learningFieldsOf(value) });
    else this.#accept(values);
  }

  /** Returns the fields of a preset, as the reader left them or by default. */
  #learningFieldsOf(preset: unknown): FieldValues {
    this.#savedByPreset.set(this.config.preset, learningFields(this.config));
    const start = { ...presetStart(this.#start, preset), preset: preset as TrainConfig["preset"] };
    return this.#savedByPreset.get(preset) ?? learningFields(completeConfig(start));
  }

  #check(values: FieldValues): TrainConfig {
    return checkValues(this.#engine, values);
  }

  /** Takes the valid values. Other fields show an error and keep their last valid value. */
  #accept(overrides: FieldValues, fallback: FieldValues = changedFields(this.config)): void {
    const { config, errors } = acceptFields(overrides, fallback, (values) => this.#check(values));
    this.#errors = errors;
    this.config = config;
    this.#showAll();
    this.#showForm();
    this.#showNote();
  }

  #showNote(): void {
    const isVisible = (name: string) => this.#inputs.has(name) && (!this.#formInputs.has(name) || this.#form?.open);
    const wrong = [...this.#errors].filter(([name]) => !isVisible(name)).map(([, message]) => message);
    showError(this.note, wrong.join(" "), "A setting is refused");
  }
}

/** Returns the value as typed, which the input itself may have rejected or clamped. */
function typedValue(knob: HTMLElement): unknown {
  const box = knob.querySelector<HTMLInputElement>('input[type="number"]');
  if (box) return Number.isNaN(box.valueAsNumber) ? box.value : box.valueAsNumber;
  return (knob.firstElementChild as HTMLElement & { value: unknown }).value;
}

function textOf(value: unknown): string {
  return String(formatField(value));
}
