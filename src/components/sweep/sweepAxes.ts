import { ConfigError, type TrainConfig } from "../../engine/config.js";
import { parseValues, type SweptValue } from "../../engine/sweptValues.js";
import type { BrowserEngine } from "../../host/browser.js";
import { element } from "../element.js";
import { Field } from "../field.js";
import { shownValue, sweepFields } from "./sweepFields.js";

type Name = keyof TrainConfig;

/** Which fields vary: an element for `view`, whose value holds the values of one field or two, those of rows first. */
export type SweepAxes = HTMLElement & { value: Record<string, SweptValue[]> };

const hint = "With commas; 0.001..0.1x5 is five values by equal factors, 1..9+5 evenly spaced.";

/** One of the two fields, its values as they are typed, and those that may be picked. */
class Axis {
  readonly node: HTMLElement;
  values: SweptValue[] = [];
  readonly #names: HTMLSelectElement;
  readonly #box: HTMLInputElement;
  readonly #field: Field;
  readonly #picks = element("div", { class: "picks", role: "group" });

  constructor(
    label: string,
    readonly engine: BrowserEngine,
    isOptional: boolean,
    readonly changed: () => void,
  ) {
    const names = Object.entries(sweepFields).map(([name, field]) => element("option", { value: name }, field.label));
    this.#names = element(
      "select",
      { onchange: () => this.#choose() },
      isOptional && element("option", { value: "" }, "nothing else"),
      ...names,
    );
    this.#box = element("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.#typed(false),
      onchange: () => this.#typed(true),
    });
    this.#field = new Field(`${label}: values`, hint, this.#box);
    this.node = element(
      "div",
      { class: "sweep-axis" },
      new Field(label, "A setting that changes from run to run.", this.#names).node,
      this.#field.node,
      this.#picks,
    );
  }

  get name(): Name | "" {
    return this.#names.value as Name | "";
  }

  /** Takes a field and the text of its values over; false if there is no such field. */
  show(name: string, text: string): boolean {
    if (name !== "" && !Object.hasOwn(sweepFields, name)) return false;
    this.#names.value = name;
    this.#box.value = text;
    this.#typed(true);
    return true;
  }

  /** What is wrong besides the values themselves. */
  setError(message: string | undefined): void {
    this.#field.setError(message);
  }

  #choose(): void {
    const { name } = this;
    this.#box.value = name === "" ? "" : this.#typical(name).slice(0, 3).map(String).join(", ");
    this.#typed(true);
  }

  #typical(name: Name): readonly SweptValue[] {
    return name === "pipeline" ? this.engine.pipelines : sweepFields[name].typical;
  }

  /** Checks at once what is typed, and takes it over when that is finished. */
  #typed(isFinished: boolean): void {
    const { name } = this;
    this.#box.disabled = name === "";
    try {
      const values = name === "" ? [] : parseValues(name, this.#box.value);
      this.#field.setError(undefined);
      this.#showPicks(values);
      if (!isFinished) return;
      this.values = values;
      this.changed();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#field.setError(error.message);
    }
  }

  #showPicks(values: SweptValue[]): void {
    const { name } = this;
    this.#picks.ariaLabel = "Values to pick";
    const typical = name === "" ? [] : this.#typical(name);
    const toggle = (value: SweptValue) => {
      const next = values.includes(value) ? values.filter((other) => other !== value) : sorted([...values, value]);
      this.#box.value = next.join(", ");
      this.#typed(true);
      (this.#picks.children[typical.indexOf(value)] as HTMLElement | undefined)?.focus();
    };
    this.#picks.replaceChildren(
      ...typical.map((value) =>
        element(
          "button",
          {
            type: "button",
            class: "pick",
            "aria-pressed": String(values.includes(value)),
            onclick: () => toggle(value),
          },
          shownValue(value),
        ),
      ),
    );
  }
}

/** Numbers ascend; names stay as they were picked. */
function sorted(values: SweptValue[]): SweptValue[] {
  return values.every((value) => typeof value === "number") ? values.sort((a, b) => a - b) : values;
}

/**
 * @param vary the values' text by field to begin with; what is wrong in it is told
 */
export function sweepAxes(engine: BrowserEngine, vary: Record<string, string>): SweepAxes {
  const root = element("div", { class: "sweep-axes" }) as unknown as SweepAxes;
  let isReady = false;
  let wasTwice = false;
  const changed = () => {
    if (!isReady) return;
    const isTwice = rows.name === columns.name;
    if (isTwice) columns.setError("Both are the same setting; choose another, or nothing else.");
    else if (wasTwice) columns.setError(undefined);
    wasTwice = isTwice;
    const axes = isTwice ? [rows] : [rows, columns];
    const next = Object.fromEntries(
      axes.filter(({ values }) => values.length > 0).map(({ name, values }) => [name, values]),
    );
    if (JSON.stringify(next) === JSON.stringify(root.value)) return;
    root.value = next;
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // What is typed is no change yet.
  root.addEventListener("input", (event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  });
  const rows = new Axis("Rows", engine, false, changed);
  const columns = new Axis("Columns", engine, true, changed);
  root.append(rows.node, columns.node);
  const [first, second, third] = Object.entries(vary);
  const isKnown = [rows.show(...(first ?? ["learningRate", ""])), columns.show(...(second ?? ["", ""]))];
  isReady = true;
  changed();
  if (!isKnown[0]) rows.setError(`There is no setting ${first[0]}.`);
  if (!isKnown[1]) columns.setError(`There is no setting ${second[0]}.`);
  if (third) columns.setError(`Two settings vary at most, so ${third[0]} is left out.`);
  return root;
}
