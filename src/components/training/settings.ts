import { completeConfig, type TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { element, setText, uniqueId } from "../page/element.js";
import { tellTrouble } from "../page/help.js";
import { acceptFields, checkValues, type Values } from "./acceptFields.js";
import { fieldsToKeep } from "./link.js";
import { startOf } from "./startingJob.js";

type Name = keyof TrainConfig;

/** An input for `view`, whose value is the last good one of a field. */
export type Knob = HTMLElement & { value: unknown };

/** Makes the input of a field that shows a value. */
export type MakeInput = (value: never) => HTMLElement;

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
  /** An element that lists fields without an input, and their errors. */
  readonly note = element("p", { class: "other-fields", role: "status" });
  readonly #engine: BrowserEngine;
  readonly #start: Partial<TrainConfig>;
  readonly #knobs = new Map<string, { show(value: unknown, wrong: string | undefined): void }>();
  #wrong = new Map<string, string>();
  #disabled: readonly string[] = [];
  /** The element whose value is all that has no knob of its own. */
  #form: (HTMLElement & { value: Values }) | undefined;
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
   * Returns the input of one field, for a cell: `view(settings.knob("blobs", (value) => Inputs.range([1, 9000], {value})))`.
   * @param make makes the input for a value; called again if the value changes elsewhere, such as by loading a file
   */
  knob(name: Name, make: MakeInput): Knob {
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
        const input = make((Array.isArray(value) ? shown : value) as never);
        // What a number may be is for the config to say, not for the browser.
        for (const box of input.querySelectorAll('[type="number"]')) {
          box.removeAttribute("min");
          box.removeAttribute("max");
        }
        if (input instanceof HTMLFormElement) input.noValidate = true;
        root.replaceChildren(input, message);
      }
      const label = root.querySelector("label")?.textContent;
      for (const control of root.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) {
        control.disabled = this.#disabled.includes(name);
        if (control.matches('[type="range"]')) control.ariaLabel = `${label}, slider`;
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

  /**
   * Returns a folded form for all other fields. Its value is an object of the fields without a knob.
   * @param inputs what makes the input of each field
   */
  form(summary: string, inputs: Partial<Record<Name, MakeInput>>): HTMLElement & { value: Values } {
    const knobs = Object.entries(inputs).map(([name, make]) => this.knob(name as Name, make));
    const form = element(
      "details",
      { class: "settings-form" },
      element("summary", {}, summary),
      element("div", { class: "knobs" }, ...knobs),
    ) as unknown as HTMLElement & { value: Values };
    form.addEventListener("input", (event) => {
      if (event.target !== form) event.stopImmediatePropagation();
    });
    this.#form = form;
    const isOwn = (name: string) => this.#knobs.has(name) && !Object.hasOwn(inputs, name);
    const others = () => Object.fromEntries(Object.entries(fieldsToKeep(this.config)).filter(([name]) => !isOwn(name)));
    form.value = others();
    this.#form.addEventListener("settings", () => {
      const value = others();
      if (JSON.stringify(value) === JSON.stringify(form.value)) return;
      form.value = value;
      form.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return form;
  }

  /** Disables the inputs of these fields, and enables all others. */
  disable(names: readonly string[]): void {
    this.#disabled = names;
    for (const [name, knob] of this.#knobs) knob.show(this.config[name as Name], this.#wrong.get(name));
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

  #change(name: Name, value: unknown): void {
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
    for (const [name, knob] of this.#knobs) knob.show(config[name as Name], wrong.get(name));
    this.#form?.dispatchEvent(new Event("settings"));
    this.#tell();
  }

  #tell(): void {
    const others = Object.entries(fieldsToKeep(this.config, completeConfig({ preset: this.config.preset })));
    const texts = others.filter(([name]) => !this.#knobs.has(name)).map(([name, value]) => `${name} ${value}`);
    const wrong = [...this.#wrong].filter(([name]) => !this.#knobs.has(name)).map(([, message]) => message);
    const from = texts.length > 0 ? `From the file or address: ${texts.join(", ")}.` : "";
    if (wrong.length > 0) tellTrouble(this.note, wrong.join(" "), "A setting is refused");
    else setText(this.note, from);
  }
}

/** What the reader has asked for, which an input may have refused or cut to its own limits. */
function askedOf(knob: HTMLElement): unknown {
  const box = knob.querySelector<HTMLInputElement>('input[type="number"]');
  if (box) return Number.isNaN(box.valueAsNumber) ? box.value : box.valueAsNumber;
  return (knob.firstElementChild as HTMLElement & { value: unknown }).value;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join("x") : String(value);
}
