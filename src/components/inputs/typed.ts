import { element } from "../page/element.js";
import { Field } from "./field.js";
import { NumberControl } from "./numberControl.js";

/** An input for `view`, whose value is what was last typed that could be. */
export type Typed<T> = HTMLElement & { value: T };

export interface TypedOptions<T> {
  value: T;
  /** What stands in the box for a value. */
  format?: (value: T) => string;
  /** A sentence below the box, where what is wrong is told too. */
  hint?: string;
  /** Lines of a box that has several. */
  rows?: number;
  /** Of a number: what a slider beside the box offers. */
  stops?: number[];
}

/**
 * A box to type in.
 * @param read makes a value of a finished change; a RangeError that it throws is told, and the value before stays
 */
export function typed<T>(
  label: string,
  read: (text: string) => T,
  { value, format = String, hint = "", rows, stops }: TypedOptions<T>,
): Typed<T> {
  const change = () => {
    try {
      value = read(box.value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return field.setError(error.message);
    }
    field.setError(undefined);
    field.node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const control = stops && new NumberControl(label, stops, change);
  const attributes = { autocomplete: "off", spellcheck: "false", onchange: change };
  const box =
    control?.box ??
    (rows ? element("textarea", { rows, ...attributes }) : element("input", { type: "text", ...attributes }));
  const row = element("div", { class: "typed-row" }, control?.node ?? box);
  // Whoever observes this element hears of its values alone.
  row.addEventListener("input", (event) => event.stopPropagation());
  const field = new Field(label, hint, box, row);
  const show = () => {
    if (control) control.value = Number(value);
    else box.value = format(value);
    field.setError(undefined);
  };
  show();
  return Object.defineProperty(field.node, "value", {
    get: () => value,
    set: (next: T) => {
      value = next;
      show();
    },
  }) as unknown as Typed<T>;
}

/**
 * Reads a number for `typed`.
 * @param allowed the sentence that is told where it is none that may be
 */
export function numberThat(isAllowed: (value: number) => boolean, allowed: string): (text: string) => number {
  return (text) => {
    const value = Number(text.replaceAll(",", "").trim() || Number.NaN);
    if (!isAllowed(value)) throw new RangeError(allowed);
    return value;
  };
}
