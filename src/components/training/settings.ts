import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { type FieldName, fieldNames, fields, writeField } from "../../engine/fields.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { element, uniqueId } from "../page/element.js";
import { tellTrouble } from "../page/help.js";
import { acceptFields, checkValues, type Values } from "./acceptFields.js";
import { fieldInput, type MakeInput } from "./fieldInput.js";
import { fieldsToKeep } from "./link.js";
import { startOf } from "./startingJob.js";

/** An input for `view`, whose value is the last good one of a field. */
export type Knob = HTMLElement & { value: unknown };

/** Milliseconds that a slider rests before it counts. */
const rest = 120;

/** Of a config everything that is no matter of the job's size or of who computes it. */
function learningOf(config: TrainConfig): Values {
  const { blobs: _b, steps: _s, tile: _t, gaussiansPerBlock: _g, pipeline: _p, seed: _r, ...learning } = config;
  const { covarianceScale } = fieldsToKeep(config);
  return { ...learning, covarianceScale };
}

/**
 * The configuration that a page's inputs describe. The page places each input. A value that is not allowed shows an error
 * next to its input, and the last valid value stays in use.
 */
export class Settings {
  /** The last valid configuration. */
  config: TrainConfig;
  /** What is wrong with fields whose input is not on the page, or is folded. */
  readonly note = element("p", { class: "other-fields", role: "status" });
  readonly #engine: BrowserEngine;
  readonly #start: Partial<TrainConfig>;
  readonly #knobs = new Map<string, { show(value: unknown, wrong: string | undefined): void }>();
  #wrong = new Map<string, string>();
  #disabled: readonly string[] = [];
  /** The inputs of the fields without a knob, and the element that they are in. */
  readonly #inForm = new Map<string, Knob>();
  #form: (HTMLDetailsElement & { value: Values }) | undefined;
  /** What the inputs said of learning when its preset was left, by the preset. */
  readonly #left = new Map<unknown, Values>();

  /**
   * @param engine the engine that has to be able to train the configuration
   * @param start the initial configuration of the page
   * @param given fields that override it, such as those of the page's address
   */
  constructor(engine: BrowserEngine, start: Partial<TrainConfig>, given: Values = {}) {
    this.#engine = engine;
    this.#start = start;
    this.config = this.#check(start);
    const first = startOf(start, given.preset);
    this.#take({ ...first, ...given }, first);
  }

  /**
   * Returns the input of a field, for a cell: `const blobs = view(settings.knob("blobs"))`. The form leaves the field out.
   * @param make makes another input: `settings.knob("blobs", (value) => Inputs.range([1, 9000], {label: "Blobs", value}))`
   */
  knob(name: FieldName, make?: MakeInput): Knob {
    this.#inForm.get(name)?.remove();
    this.#inForm.delete(name);
    return this.#input(name, make);
  }

  /** @param make called again where the value comes from elsewhere, such as a file */
  #input(name: FieldName, make: MakeInput = (value) => fieldInput(name, this.#engine, value)): Knob {
    const root = element("div", { class: "knob" }) as unknown as Knob;
    const message = element("p", { class: "knob-error", id: uniqueId("knob"), role: "status" });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: string | undefined;
    const settle = () => {
      clearTimeout(timer);
      const asked = askedOf(root);
      shown = textOf(asked);
      this.#change(name, asked);
    };
    // What is typed is no change yet, so who observes this element must not hear of it.
    root.addEventListener("input", (event) => {
      if (event.target === root) return;
      event.stopImmediatePropagation();
      clearTimeout(timer);
      if ((event.target as HTMLInputElement).type === "range") timer = setTimeout(settle, rest);
    });
    root.addEventListener("change", settle);
    const show = (value: unknown, wrong = "") => {
      tellTrouble(message, wrong, "A setting is refused");
      root.classList.toggle("wrong", wrong !== "");
      if (wrong === "" && shown !== textOf(value)) {
        shown = textOf(value);
        const input = make(writeField(value) as never);
        // What a number may be is for the config to say, not for the browser.
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
    show(first);
    show(first, this.#wrong.get(name));
    this.#knobs.set(name, { show });
    queueMicrotask(() => this.#tell());
    return root;
  }

  /** Returns the inputs of all fields without a knob, folded; the value is an object of these fields. */
  form(summary: string): HTMLDetailsElement & { value: Values } {
    const others = fieldNames.filter((name) => !this.#knobs.has(name) || this.#inForm.has(name));
    for (const name of others) this.#inForm.set(name, this.#input(name));
    const form = element(
      "details",
      { class: "settings-form", ontoggle: () => this.#tell() },
      element("summary", {}, summary),
      element("div", { class: "knobs" }, ...this.#inForm.values()),
    ) as unknown as HTMLDetailsElement & { value: Values };
    form.addEventListener("input", (event) => {
      if (event.target !== form) event.stopImmediatePropagation();
    });
    this.#form = form;
    const values = () =>
      Object.fromEntries(Object.entries(fieldsToKeep(this.config)).filter(([name]) => this.#inForm.has(name)));
    form.value = values();
    this.#form.addEventListener("settings", () => {
      const value = values();
      if (JSON.stringify(value) === JSON.stringify(form.value)) return;
      form.value = value;
      form.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return form;
  }

  /** Disables the inputs of these fields, and enables all others. */
  disable(names: readonly string[]): void {
    this.#disabled = names;
    for (const [name, knob] of this.#knobs) knob.show(this.config[name as FieldName], this.#wrong.get(name));
  }

  /**
   * Loads a configuration.
   * @throws ConfigError, and changes nothing, if it is not valid
   */
  load(values: Values): void {
    const config = this.#check(values);
    this.#left.clear();
    this.#take(config as unknown as Values);
  }

  #change(name: FieldName, value: unknown): void {
    const values = { ...fieldsToKeep(this.config), [name]: value };
    if (name === "preset" && value !== this.config.preset) this.#take({ ...this.config, ...this.#learningBy(value) });
    else this.#take(values);
  }

  /** What another preset says of learning, or what was there when it was left. */
  #learningBy(preset: unknown): Values {
    this.#left.set(this.config.preset, learningOf(this.config));
    const start = { ...startOf(this.#start, preset), preset: preset as TrainConfig["preset"] };
    return this.#left.get(preset) ?? learningOf(completeConfig(start));
  }

  #check(values: Values): TrainConfig {
    return checkValues(this.#engine, values);
  }

  /** Takes what can be taken; a field that is wrong says so and keeps its last good value. */
  #take(given: Values, good: Values = fieldsToKeep(this.config)): void {
    const { config, wrong } = acceptFields(given, good, (values) => this.#check(values));
    this.#wrong = wrong;
    this.config = config;
    for (const [name, knob] of this.#knobs) knob.show(config[name as FieldName], wrong.get(name));
    this.#form?.dispatchEvent(new Event("settings"));
    this.#tell();
  }

  #tell(): void {
    const isSeen = (name: string) => this.#knobs.has(name) && (!this.#inForm.has(name) || this.#form?.open);
    const wrong = [...this.#wrong].filter(([name]) => !isSeen(name)).map(([, message]) => message);
    tellTrouble(this.note, wrong.join(" "), "A setting is refused");
  }
}

/** What the reader has asked for, which an input may have refused or cut to its own limits. */
function askedOf(knob: HTMLElement): unknown {
  const box = knob.querySelector<HTMLInputElement>('input[type="number"]');
  if (box) return Number.isNaN(box.valueAsNumber) ? box.value : box.valueAsNumber;
  return (knob.firstElementChild as HTMLElement & { value: unknown }).value;
}

function textOf(value: unknown): string {
  return String(writeField(value));
}
