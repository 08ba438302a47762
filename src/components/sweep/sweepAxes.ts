import * as Inputs from "observablehq:stdlib/inputs";
import { ConfigError, type TrainConfig } from "../../engine/config.js";
import { parseValues, type SweptValue } from "../../engine/sweptValues.js";
import type { BrowserEngine } from "../../host/browser.js";
import { element, setText } from "../page/element.js";
import { shownValue, sweepFields } from "./sweepFields.js";

type Name = keyof TrainConfig | "";

/** Which fields vary: an input for `view`, whose value holds the values of one field or two, those of rows first. */
export type SweepAxes = HTMLElement & { value: Record<string, SweptValue[]> };

/**
 * @param vary the values' text by field to begin with; what is wrong in it is told
 */
export function sweepAxes(engine: BrowserEngine, vary: Record<string, string>): SweepAxes {
  const root = element("div", { class: "sweep-axes" }) as unknown as SweepAxes;
  const [first = ["learningRate", ""], second = ["", ""], third] = Object.entries(vary);
  let wasTwice = false;
  const changed = () => {
    const isTwice = rows.name === columns.name;
    if (wasTwice !== isTwice) columns.tell("");
    wasTwice = isTwice;
    if (isTwice) columns.tell("Both are the same setting; choose another, or nothing else.");
    const chosen = [rows, columns].slice(0, isTwice ? 1 : 2).filter(({ values }) => values.length > 0);
    const next = Object.fromEntries(chosen.map(({ name, values }) => [name, values]));
    if (JSON.stringify(next) === JSON.stringify(root.value)) return;
    root.value = next;
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // What is typed is no change yet.
  root.addEventListener("input", (event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  });
  const rows = new Axis(engine, "Rows", first, changed);
  const columns = new Axis(engine, "Columns", second, changed);
  root.append(rows.node, columns.node);
  changed();
  if (third) columns.tell(`Two settings vary at most, so ${third[0]} is left out.`);
  return root;
}

/** One of the two fields, its values as they are typed, and those that may be ticked. */
class Axis {
  readonly node: HTMLElement;
  values: SweptValue[] = [];
  readonly #field: HTMLElement & { value: Name };
  readonly #text: HTMLElement & { value: string };
  readonly #picks = element("div", { class: "picks", role: "group", "aria-label": "Values to pick" });
  readonly #message = element("p", { class: "knob-error", role: "status" });
  readonly #engine: BrowserEngine;

  constructor(engine: BrowserEngine, label: "Rows" | "Columns", [name, text]: [string, string], changed: () => void) {
    this.#engine = engine;
    const isKnown = name === "" || Object.hasOwn(sweepFields, name);
    const names = [...(label === "Columns" ? ([""] as const) : []), ...(Object.keys(sweepFields) as Name[])];
    const format = (name: Name) => (name === "" ? "nothing else" : sweepFields[name].label);
    this.#field = Inputs.select(names, { label, format, value: isKnown ? (name as Name) : names[0] });
    this.#text = Inputs.text({ label: `${label}: values`, value: isKnown ? text : "", width: "100%" });
    this.node = element("div", { class: "sweep-axis knob" }, this.#field, this.#text, this.#message, this.#picks);
    this.#text.addEventListener("input", () => this.#read());
    this.#text.addEventListener("change", () => {
      if (this.#read()) changed();
    });
    this.#field.addEventListener("change", () => {
      this.#text.value = this.#typical.slice(0, 3).join(", ");
      if (this.#read()) changed();
    });
    this.#picks.addEventListener("change", (event) => {
      const picked = (event.currentTarget as HTMLElement).firstElementChild as HTMLElement & { value: SweptValue[] };
      const others = this.values.filter((value) => !this.#typical.includes(value));
      this.#text.value = sorted([...others, ...picked.value]).join(", ");
      if (this.#read()) changed();
    });
    this.#read();
    if (!isKnown) this.tell(`There is no setting ${name}.`);
  }

  get name(): Name {
    return this.#field.value;
  }

  /** Says what is wrong; nothing if it is empty. */
  tell(message: string): void {
    setText(this.#message, message);
    this.node.classList.toggle("wrong", message !== "");
    this.#text.querySelector("input")!.ariaInvalid = String(message !== "");
  }

  get #typical(): readonly SweptValue[] {
    const { name } = this;
    return name === "" ? [] : name === "pipeline" ? this.#engine.pipelines : sweepFields[name].typical;
  }

  /** Reads what is typed; false where it is wrong, which is told. */
  #read(): boolean {
    const { name } = this;
    this.#text.querySelector("input")!.disabled = name === "";
    try {
      this.values = name === "" ? [] : parseValues(name, this.#text.value);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.tell(error.message);
      return false;
    }
    this.tell("");
    const ticked = this.#typical.filter((value) => this.values.includes(value));
    const shown = this.#picks.firstElementChild as (HTMLElement & { value: SweptValue[]; name: string }) | null;
    if (shown && this.#picks.dataset.field === name) shown.value = ticked;
    else if (name !== "") {
      this.#picks.replaceChildren(Inputs.checkbox(this.#typical, { value: ticked, format: shownValue }));
    } else this.#picks.replaceChildren();
    this.#picks.dataset.field = name;
    return true;
  }
}

function sorted(values: SweptValue[]): SweptValue[] {
  return values.every((value) => typeof value === "number") ? values.sort((a, b) => a - b) : values;
}
